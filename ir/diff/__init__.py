"""What changed between two queries: their trees are aligned, and what differs is said in words and as one tree."""
