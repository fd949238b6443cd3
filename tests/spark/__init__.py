"""Tests of what touches Spark."""
