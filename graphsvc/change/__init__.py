"""What a memory states, slot by slot, and how two statements bear on each other; pure, without a question."""
