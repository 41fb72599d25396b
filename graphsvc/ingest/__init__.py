"""From what a caller hands in to entries of a store: read, split, tag, link."""
