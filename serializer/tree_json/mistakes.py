"""Mistakes in a document, each with the JSON pointer to its place.

Source: RFC 6901 (JSON Pointer).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ir.errors import TreeJsonException, did_you_mean, listing
from ir.nodes import Node

_KINDS = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
_LONGEST = 60


class Mistake(Exception):
    """A mistake in a document.

    Attributes:
        path: the keys and positions that lead to the mistake, the innermost first.
        node: the invalid node, if it is an earlier one than the node whose check found the mistake.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text
        self.path: list[str | int] = []
        self.node: Node | None = None

    def as_exception(self) -> TreeJsonException:
        """Return the error for the user, with the place in the document."""
        steps = [str(step).replace("~", "~0").replace("/", "~1") for step in reversed(self.path)]
        pointer = "".join(f"/{step}" for step in steps)
        place = f" at {pointer}" if pointer else ""
        return TreeJsonException(f"The JSON of the query is invalid{place}: {self.text}", pointer)


class locate:
    """A context manager that adds a key or position to the path of a mistake."""

    __slots__ = ("_step",)

    def __init__(self, step: str | int) -> None:
        self._step = step

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, Mistake):
            error.path.append(self._step)


def describe(given: object) -> str:
    """Describe a value of a document for a message: ``the string "a"``."""
    if given is None:
        return "null"
    kind = _KINDS.get(type(given), "a value")
    if isinstance(given, (dict, list)):
        return kind
    text = json.dumps(given, ensure_ascii=False)
    return f"{kind} {text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}".replace("a ", "the ", 1)


def unexpected(accepted: str, given: object) -> Mistake:
    """Return the mistake for a value that does not have the accepted form."""
    return Mistake(f"{accepted} is expected, but {describe(given)} was given.")


def unknown_name(what: str, given: str, valid: Iterable[str]) -> Mistake:
    """Return the mistake for a name that is not one of the valid names."""
    names = list(valid)
    shown = given if len(given) <= _LONGEST else given[:_LONGEST] + "…"
    return Mistake(f"Unknown {what} {shown!r}; accepted are [{listing(names, 40)}].{did_you_mean(given, names)}")


def check_keys(given: object, what: str, known: Iterable[str], required: Iterable[str] = ()) -> None:
    """Check that a value is an object with known keys and all required ones.

    Raises:
        Mistake: the value is not an object, or a key is unknown or missing.
    """
    if not isinstance(given, dict):
        raise unexpected(f"An object with the fields of {what}", given)
    names = list(known)
    for key in given:
        if key not in names:
            with locate(key):
                raise unknown_name(f"field of {what}", key, sorted(names))
    for key in required:
        if key not in given:
            raise Mistake(f"The field {key!r} of {what} is missing.")
