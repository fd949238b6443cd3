"""Whether two optimised plans compute the same rows, so that neither has to run.

A run of a few rows costs Spark several times what it costs to optimise the query. Two texts of one query seldom have
plans that Spark itself finds the same, since their projections rename other columns. So each column is written here as
what it is computed from, and a projection between two operators as nothing. Plans that cannot be compared so are run.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

from attrs import Factory, define

from tableapi.spark.views.plan_texts import split_items

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_ALL_FIELDS = 1_000_000
_TREE = re.compile(r"[ :+\-]*")
_DEFINED = re.compile(r" AS (.+?)#(\d+)L?")
_COLUMN = re.compile(r"[^\s,\[\](){}#]*#(\d+)L?")
_ITEM = re.compile(r"(.*) AS #(\d+)", re.DOTALL)
_PLAIN = re.compile(r"#(\d+)")
_LEAVES = ("LogicalRDD", "LocalRelation")
_RULES = "org.apache.spark.sql.catalyst.optimizer."
# The first computes rows of VALUES, which a plan does not show. The others add conditions that follow from others.
UNWANTED_RULES = tuple(
    f"{_RULES}{name}" for name in ("ConvertToLocalRelation", "InferFiltersFromConstraints", "InferFiltersFromGenerate")
)
# Which sides of a join have rows of NULL for those without a partner.
_PADDED = {"LeftOuter": (1,), "RightOuter": (0,), "FullOuter": (0, 1)}


class IncomparableError(Exception):
    """A plan with an operator whose columns are found by their position, and are not shown."""


@define
class _Node:
    """An operator as Spark shows it."""

    text: str
    depth: int
    children: list[_Node] = Factory(list)

    @property
    def name(self) -> str:
        return self.text.split(" ", 1)[0]


def written_plan(frame: DataFrame) -> str | None:
    """Return the optimised plan without names, None if it cannot be compared with others by its text."""
    plan = frame._jdf.queryExecution().optimizedPlan()
    output = plan.output().mkString(", ")
    try:
        return without_names(output, plan.treeString(True, False, _ALL_FIELDS, False, False))
    except IncomparableError:
        return None


def without_names(output: str, tree: str) -> str:
    """Return a plan in which each column is written as what it is computed from.

    >>> one = "Project [(a#1 + 1) AS b#2]\\n+- LogicalRDD [a#1], false"
    >>> other = "Project [(x#5 + 1) AS c#2]\\n+- Project [a#1 AS x#5]\\n   +- LogicalRDD [a#1], false"
    >>> without_names("b#2", one) == without_names("c#2", other)
    True
    """
    shown = f"{output}\n{tree}"
    for name, number in set(_DEFINED.findall(shown)):
        if not _COLUMN.fullmatch(f"{name}#{number}"):
            shown = shown.replace(f"{name}#{number}", f"#{number}")
    lines = shown.splitlines()
    root = _parsed(lines[1:])
    writer = _Writer()
    operators = writer.operator(root)
    columns = ", ".join(writer.value(item) for item in split_items(_COLUMN.sub(r"#\1", lines[0])))
    return f"[{columns}]\n{operators}"


def _parsed(lines: list[str]) -> _Node:
    """Return the tree that lines show by what stands before each operator."""
    path: list[_Node] = []
    for line in lines:
        found = _TREE.match(line)
        assert found is not None
        text = line[found.end() :]
        node = _Node(text, found.end())
        while path and path[-1].depth >= node.depth:
            path.pop()
        if path:
            path[-1].children.append(node)
        path.append(node)
    return path[0]


def _conjuncts(condition: str) -> list[str]:
    """Return the conjuncts of a condition, sorted."""
    found: list[str] = []
    rest = [condition]
    while rest:
        text = rest.pop()
        parts = _split_conjunction(text)
        (found if parts == [text] else rest).extend(parts)
    return sorted(found)


def _split_conjunction(text: str) -> list[str]:
    """Return both sides of a conjunction in parentheses, or the text alone."""
    depth = 0
    for position, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if not depth and position < len(text) - 1:
                return [text]
        elif depth == 1 and text.startswith(" AND ", position):
            return [text[1:position], text[position + 5 : -1]]
    return [text]


class _Writer:
    """Writes the operators of one plan from below."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._numbers = count()

    def value(self, text: str) -> str:
        """Return an expression in which each column is what it is computed from."""
        return _PLAIN.sub(lambda found: self._known.get(found[1]) or self._new(found[1]), text)

    def _new(self, number: str) -> str:
        return self._known.setdefault(number, f"<{next(self._numbers)}>")

    def operator(self, node: _Node) -> str:
        """Return an operator and those below, and learn what its columns are computed from."""
        # A subquery is shown a step further in. Its columns may have the numbers of others in the plan around.
        below = sorted(node.children, key=lambda child: child.depth - node.depth, reverse=True)
        sides, written = [], []
        for child in below:
            before = dict(self._known)
            text = self.operator(child)
            is_subquery = child.depth - node.depth > 3
            if is_subquery or node.name == "Union":
                text = f"{self._columns(child)} of {text}"
            sides.append({number for number, value in self._known.items() if before.get(number) != value})
            written.append(text)
        if node.name == "Project":
            self._define(self._items_of_output(node), "{}")
            return "\n".join(written)
        text = self._written(node, next(self._numbers), sides)
        return "\n".join([text, *(f" {line}" for inner in written for line in inner.splitlines())])

    def _written(self, node: _Node, number: int, sides: list[set[str]]) -> str:
        """Return an operator without those below."""
        if node.name in _LEAVES:
            return self._table(node, number)
        if node.name == "Union":
            for place, item in enumerate(self._items_of_output(node.children[0])):
                found = _ITEM.fullmatch(item)
                self._known[found[2] if found else item.removeprefix("#")] = f"<{number}.{place}>"
            return node.text
        if node.name in ("Aggregate", "Window"):
            lists = self._lists(node)
            own = (lists[-1] if node.name == "Aggregate" else lists[0]) if lists else []
            others = [[self.value(item) for item in items] for items in lists if items is not own]
            values = [self.value(found[1] if (found := _ITEM.fullmatch(item)) else item) for item in own]
            self._define(own, f"<{number}: {{}}>")
            return f"{node.name} {sorted(set(values))} {others}"
        text = self.value(_COLUMN.sub(r"#\1", node.text))
        if node.name == "Filter":
            return f"Filter {_conjuncts(text.removeprefix('Filter '))}"
        if node.name == "Join":
            kind = node.text.split(" ")[1].rstrip(",")
            for side in _PADDED.get(kind, ()):
                for column in sides[side]:
                    self._known[column] = f"<{number}: {self._known[column]}>"
            kind_and_condition = text.replace("Join Cross", "Join Inner").removesuffix(", true").split(", ", 1)
            return f"{kind_and_condition[0]} {_conjuncts(kind_and_condition[-1])}"
        return text

    def _table(self, node: _Node, number: int) -> str:
        """Return a table, which the names and the order of its columns tell from all others."""
        names: list[str] = []
        # A relation without rows may have no columns either.
        shown = node.text[node.text.index("[") + 1 : node.text.rindex("]")] if "[" in node.text else ""
        for item in split_items(shown) if shown else ():
            name, column = item.rsplit("#", 1)
            # Columns of VALUES, whose rows are always the same here, are called by what reads them.
            names.append(name if node.name == "LogicalRDD" else f"column {len(names)}")
            self._known[column.rstrip("L")] = f"{names[-1]}.{number}"
        return f"{node.name} {number} {names}{' of no rows' if '<empty>' in node.text else ''}"

    def _define(self, items: list[str], form: str) -> None:
        """Learn what the columns of a projection are computed from."""
        values = {}
        for item in items:
            if found := _ITEM.fullmatch(item):
                value = self.value(found[1])
                values[found[2]] = value if _PLAIN.fullmatch(found[1]) else form.format(value)
        self._known.update(values)

    @staticmethod
    def _lists(node: _Node) -> list[list[str]]:
        """Return the lists in brackets of an operator."""
        text = _COLUMN.sub(r"#\1", node.text)
        lists, depth, start = [], 0, 0
        for position, character in enumerate(text):
            if character == "[":
                start = start if depth else position
                depth += 1
            elif character == "]":
                depth -= 1
                if not depth:
                    lists.append([item for item in split_items(text[start + 1 : position]) if item])
        return lists

    def _items_of_output(self, node: _Node) -> list[str]:
        """Return the columns of an operator in their order, where it shows them."""
        if node.name in ("Project", "Aggregate"):
            return self._lists(node)[-1] if self._lists(node) else []
        if node.name in _LEAVES:
            return (self._lists(node) or [[]])[0]
        if node.name in ("Filter", "Sort", "GlobalLimit", "LocalLimit", "Union"):
            return self._items_of_output(node.children[0])
        raise IncomparableError

    def _columns(self, node: _Node) -> str:
        """Return the columns of an operator in their order, each as what it is computed from."""
        items = self._items_of_output(node)
        return str([self.value(f"#{found[2]}" if (found := _ITEM.fullmatch(item)) else item) for item in items])
