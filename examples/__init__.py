"""Programs that show the library at work; each runs from the root of the repository."""
