"""Where memories, vectors, words and edges are kept and narrowed."""
