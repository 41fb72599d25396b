"""Accounts for what was done: the journal read, retrievals replayed, answers that fell, and who is told of them."""
