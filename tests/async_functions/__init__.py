"""Tests of asynchronous functions."""
