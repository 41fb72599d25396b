"""A graph memory for AI assistants."""
