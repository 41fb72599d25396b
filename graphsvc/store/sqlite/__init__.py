"""The embedded store: SQLite is the truth, arrays in memory are the speed."""
