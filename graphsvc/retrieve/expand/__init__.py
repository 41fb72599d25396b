"""Walk the edges from the hits: bounded, decaying, repeatable, never out of the namespace."""
