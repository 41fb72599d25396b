"""Speak to servers outside this process: bounded in time, bytes and attempts, and never trusted."""
