"""A job that keeps tables of Delta Lake up to date: twelve statements, each by methods and as SQL."""
