"""Asynchronous scalar functions: their declaration, and the options of their calls (FLIP-400)."""
