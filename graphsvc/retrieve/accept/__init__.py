"""Decide whether what was found may be used."""
