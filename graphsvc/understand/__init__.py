"""Read one text in its setting: what it says, said when and by whom, in which conversation, by whose habits."""
