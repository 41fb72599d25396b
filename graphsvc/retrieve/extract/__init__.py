"""From an accepted memory to what answers: the sentence and the typed value in it."""
