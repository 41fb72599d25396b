"""Texts to unit vectors and token states; a question and a passage are different calls."""
