"""What prompts and notebooks show."""
