"""The relations of FROM and their joins."""
