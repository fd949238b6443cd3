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
_MARKER = re.compile(r"<[^<>]+>")
_NAME_OF_GENERATOR = re.compile(r"(?<=, )[^\s,\[\]()]+, (?=\[[^\]]*\]$)")


def same_but_for_names(plan: str, other: str, *, ignores_selections: bool = False) -> bool:
    """Whether two plans, as Spark shows them, differ only in names and in the order of columns within them.

    Args:
        plan: a plan.
        other: the other plan.
        ignores_selections: whether projections within the plans that only drop columns do not count either.

    >>> same_but_for_names("Project [(a#1 + 1) AS b#2]\\n+- Range [a#1]", "Project [(c#7 + 1) AS d#9]\\n+- Range [c#7]")
    True
    >>> same_but_for_names("Project [a#1]\\n+- Range [a#1, b#2]", "Project [b#2]\\n+- Range [a#1, b#2]")
    False
    >>> selected = "Filter (a#1 > 0)\\n+- Project [a#1]\\n   +- Range [a#1, b#2]"
    >>> same_but_for_names(selected, "Filter (a#1 > 0)\\n+- Range [a#1, b#2]", ignores_selections=True)
    True
    """
    values: dict[str, str] = {}
    return _without_names(plan, values, ignores_selections) == _without_names(other, values, ignores_selections)


def _without_names(plan: str, values: dict[str, str], ignores_selections: bool) -> list[tuple[int, str]]:
    """Return the operators of a plan from the bottom up, each with its depth.

    Args:
        plan: the plan.
        values: maps computations to markers, for all plans.
        ignores_selections: whether projections below the root that only select columns are left out.
    """
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
        is_column = _MARKER.fullmatch(value)
        known[named[2]] = value if is_column else values.setdefault(value, f"<computed {len(values)}>")
        return value

    made: list[tuple[int, str]] = []
    for place, line in reversed(list(enumerate(lines))):
        tree = _TREE.match(line)
        assert tree is not None
        # Each level of the tree is drawn by three characters.
        depth = len(tree[0]) // 3
        operator = line[tree.end() :]
        if operator.startswith("Generate "):
            # LATERAL VIEW has a name, which no column shows.
            operator = _NAME_OF_GENERATOR.sub("", operator)
        text, position, items = "", 0, []
        for start, end in _lists(operator):
            items = [item(part) for part in split_items(operator[start + 1 : end])]
            text += written(operator[position:start]) + f"[{', '.join(items)}]"
            position = end + 1
        if place and ignores_selections and operator.startswith("Project ") and all(map(_MARKER.fullmatch, items)):
            for index in range(len(made) - 1, -1, -1):
                if made[index][0] <= depth:
                    break
                made[index] = made[index][0] - 1, made[index][1]
            continue
        if place and operator.startswith(_PROJECTIONS):
            text = f"{text[: len(text) - len(', '.join(items)) - 1]}{', '.join(sorted(items))}]"
        made.append((depth, text + written(operator[position:])))
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
