"""Queries as the Python code that builds them.

``code`` is the model of that code. Every piece of it carries what it evaluates to, so that code is tried on the fluent
API while it is written: of several ways to write an operation, the first is taken that really gives the operation.
``expressions`` and ``operations`` write the parts of a query, ``variables`` decides what gets a name of its own,
``layout`` breaks lines, and ``script`` puts it all together.
"""

from tableapi.python_code.script import python_script

__all__ = ["python_script"]
