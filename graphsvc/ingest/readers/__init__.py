"""From files and messages to memory inputs; what cannot be read is named, never dropped."""
