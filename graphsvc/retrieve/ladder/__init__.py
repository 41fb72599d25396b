"""Ask again in other words, say what is missing, and remember what a session asked before."""
