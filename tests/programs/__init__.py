"""The registry of test programs; importing this package fills it."""

from tests.programs import expressions, grouping, names, relational
from tests.programs.program import PROGRAMS, Program

__all__ = ["PROGRAMS", "Program", "expressions", "grouping", "names", "relational"]
