"""From what is stored to what the library lacks: proposed topics and senses, and pairs to learn from."""
