"""What is kept, and how fine: near-duplicates recognised, long texts summed up in sentences of their own."""
