"""Read a question: its type, people with direction, time, validity, and the parts of a compound one."""
