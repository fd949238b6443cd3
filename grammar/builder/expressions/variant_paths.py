"""Builds paths into a VARIANT after a colon: ``v:a.b[0]`` means ``VARIANT_GET(v, '$.a.b[0]')``.

Spark inserts names into the path unquoted, so that a back-quoted name with a dot becomes two steps.
"""

from __future__ import annotations

import re
from typing import Any

from grammar import syntax as s
from grammar.errors import Misread
from grammar.language import Form, Language
from ir.late_patterns import late_pattern

_KEY = late_pattern(r"""\.([^.\[]+)|\['([^']*)'\]|\["([^"]*)"\]""", re.DOTALL)


def path_of(node: s.VariantPath, language: Language) -> str:
    """Return the JSON path for the steps after the colon of a VARIANT path.

    Raises:
        Misread: a step is neither a name, nor a string or whole number in brackets.
    """
    from ir.functions.variant import is_path

    language.refuse(Form.VARIANT_PATH, node.position)
    path = "$" + "".join(_step(step) for step in node.steps)
    if not is_path(path):
        raise Misread(node.position, f"{path!r} is no path into a VARIANT: its names have no quotes and are not empty.")
    return path


def _step(step: Any) -> str:
    if isinstance(step, s.Name):
        return f".{step.text}"
    if type(step) is s.Text and len(step.tokens) == 1:
        # The string stays as written, because Spark resolves no escapes here.
        return f"[{step.tokens[0].text}]"
    if type(step) is s.Number and step.text.isdigit():
        return f"[{step.text}]"
    raise Misread(
        step.position,
        "In brackets of a path into a VARIANT stands the name of a field in quotes or the index of an element, from 0.",
    )


def name_of(path: str) -> str | None:
    """Return the name of a path's column without an alias: the last field of the path, None without a field."""
    keys = _KEY.findall(path)
    return next((part for part in keys[-1] if part), "") if keys else None
