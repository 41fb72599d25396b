"""Text in, facts out: pure functions whose spans always point into the original text."""
