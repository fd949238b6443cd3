"""Display at prompts and in notebooks."""
