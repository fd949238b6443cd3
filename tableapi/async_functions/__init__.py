"""Asynchronous functions of values: what is declared of them, and how their calls are made (FLIP-400)."""
