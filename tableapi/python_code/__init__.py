"""Generate the Python code that builds a query.

``code`` is the model of the generated code. Every part of it carries its value, so that code is tried on the fluent API
while it is generated: among several ways to write an operation, the first one whose value is the operation wins.
``expressions`` and ``operations`` write the parts of a query, ``query`` decides which tables get variables, ``layout``
breaks lines, and ``script`` assembles the result.
"""

from tableapi.python_code.script import python_script

__all__ = ["python_script"]
