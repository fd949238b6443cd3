"""Keywords that may be names."""
