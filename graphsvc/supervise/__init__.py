"""What an operator does with the calibrators: feedback, side-by-side promotion, drift."""
