"""Builds operations and expressions from syntax nodes; the resolver then binds names to columns."""
