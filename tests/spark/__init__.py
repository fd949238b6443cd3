"""Tests of the parts that use Spark."""
