"""Builds unresolved expressions from syntax nodes."""
