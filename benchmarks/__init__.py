"""Benchmarks against other libraries, reported as ratios within one run."""
