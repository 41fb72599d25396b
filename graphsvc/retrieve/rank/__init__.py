"""Rank what the funnel left: vectors, words, token states, and what agrees or disagrees with the question."""
