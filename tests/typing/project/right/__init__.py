"""Correct programs: no type checker reports any of their lines, and the parts without Spark run."""
