"""Programs that show the library at work. Run each from the root of the repository."""
