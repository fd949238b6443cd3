"""The difference of two queries: align their trees, and describe the changes in sentences and as one tree."""
