"""Words that may be names."""
