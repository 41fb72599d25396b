"""Jobs that keep a namespace in order: what has expired goes, what repeats itself is merged."""
