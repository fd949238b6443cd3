"""Plans without column names: each column is replaced by the expression that computes it.

Spark's own canonical form keeps renaming projections, and the order of the columns between two operators. Neither is
work. The form here drops both, and keeps each computation, its columns and its operator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

_DEFINED = re.compile(r" AS (.+?)#(\d+)L?")
_COLUMN = re.compile(r"[^\s,\[\](){}#]*#(\d+)L?")
_NUMBER = re.compile(r"«(\d+)»")
_NAMED = re.compile(r"(.*) AS «(\d+)»", re.DOTALL)
_TREE = re.compile(r"[ :+\-]*")
_PROJECTIONS = ("Project ", "Aggregate ")


def same_but_for_names(plan: str, other: str) -> bool:
    """Whether two plans, as Spark shows them, differ only in names and in the order of columns within them.

    >>> same_but_for_names("Project [(a#1 + 1) AS b#2]\\n+- Range [a#1]", "Project [(c#7 + 1) AS d#9]\\n+- Range [c#7]")
    True
    >>> same_but_for_names("Project [a#1]\\n+- Range [a#1, b#2]", "Project [b#2]\\n+- Range [a#1, b#2]")
    False
    """
    values: dict[str, str] = {}
    return _without_names(plan, values) == _without_names(other, values)


def _without_names(plan: str, values: dict[str, str]) -> list[str]:
    """Return the operators of a plan from the bottom up; ``values`` maps computations to markers, for all plans."""
    for name, number in set(_DEFINED.findall(plan)):
        # Names that match _COLUMN are replaced below, all at once.
        if not _COLUMN.fullmatch(f"{name}#{number}"):
            plan = plan.replace(f"{name}#{number}", f"#{number}")
    lines = _COLUMN.sub(r"«\1»", plan).splitlines()
    known: dict[str, str] = {}
    given = count()

    def written(text: str) -> str:
        return _NUMBER.sub(lambda found: known.get(found[1]) or known.setdefault(found[1], f"<{next(given)}>"), text)

    def item(text: str) -> str:
        named = _NAMED.fullmatch(text)
        if named is None:
            return written(text)
        value = written(named[1])
        is_column = re.fullmatch(r"<[^<>]+>", value)
        known[named[2]] = value if is_column else values.setdefault(value, f"<computed {len(values)}>")
        return value

    made = []
    for place, line in reversed(list(enumerate(lines))):
        tree = _TREE.match(line)
        assert tree is not None
        operator = line[tree.end() :]
        text, position, items = "", 0, []
        for start, end in _lists(operator):
            items = [item(part) for part in split_items(operator[start + 1 : end])]
            text += written(operator[position:start]) + f"[{', '.join(items)}]"
            position = end + 1
        if place and operator.startswith(_PROJECTIONS):
            text = f"{text[: len(text) - len(', '.join(items)) - 1]}{', '.join(sorted(items))}]"
        made.append(tree[0] + text + written(operator[position:]))
    return made


def _lists(operator: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each outermost list in brackets."""
    depth = start = 0
    for position, character in enumerate(operator):
        if character == "[":
            start = start if depth else position
            depth += 1
        elif character == "]" and depth:
            depth -= 1
            if not depth:
                yield start, position


def split_items(text: str) -> Iterator[str]:
    """Yield the items of a list."""
    depth = start = 0
    for position, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and not depth:
            yield text[start:position].strip()
            start = position + 1
    yield text[start:].strip()
