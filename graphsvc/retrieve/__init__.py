"""From a question to a decision with its evidence."""
