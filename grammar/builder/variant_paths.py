"""Paths into a VARIANT after a colon: ``v:a.b[0]`` gets what ``VARIANT_GET(v, '$.a.b[0]')`` gets.

Spark puts the names as they are behind dots, so that a name in back-quotes with a dot in it is two steps.
"""

from __future__ import annotations

import re
from typing import Any

from grammar import syntax as s
from grammar.builder.context import other_dialect
from grammar.errors import Misread
from ir.functions.variant import is_path
from ir.rendering import Dialect

_KEY = re.compile(r"""\.([^.\[]+)|\['([^']*)'\]|\["([^"]*)"\]""", re.DOTALL)


def path_of(node: s.VariantPath, dialect: Dialect) -> str:
    """Return the path that the steps after the colon are.

    Raises:
        Misread: a step is neither a name, nor in brackets a text or a whole number.
    """
    if dialect is Dialect.FLINK:
        raise Misread(node.position, "A path into a VARIANT after a colon is of SPARK." + other_dialect(dialect))
    path = "$" + "".join(_step(step) for step in node.steps)
    if not is_path(path):
        raise Misread(node.position, f"{path!r} is no path into a VARIANT: its names have no quotes and are not empty.")
    return path


def _step(step: Any) -> str:
    if isinstance(step, s.Name):
        return f".{step.text}"
    if type(step) is s.Text and len(step.tokens) == 1:
        # As it was written: Spark does not read what backslashes mean here.
        return f"[{step.tokens[0].text}]"
    if type(step) is s.Number and step.text.isdigit():
        return f"[{step.text}]"
    raise Misread(
        step.position,
        "In brackets of a path into a VARIANT stands the name of a field in quotes or the index of an element, from 0.",
    )


def name_of(path: str) -> str | None:
    """Return the name of the column that a path gives where it is given none: its last field, if there is one."""
    keys = _KEY.findall(path)
    return next((part for part in keys[-1] if part), "") if keys else None
