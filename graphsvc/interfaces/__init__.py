"""The faces: thin layers that map in, make one call, and map out."""
