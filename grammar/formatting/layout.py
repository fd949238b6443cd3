"""Chooses the line breaks by grammar rule: each clause begins a line, and items share a line or have one each.

A rule without a layout of its own is laid out by its signs: parentheses break at their commas, a parenthesised query
is indented, and a query after keywords begins a line. Most new statements need no more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from grammar.formatting.concrete import Leaf, Node
from grammar.formatting.printer import Mark, Op
from ir.dialects.operators import BINDING
from ir.rendering import Dialect

SPACE, LINE, SOFT, HARD, EMPTY = Mark.SPACE, Mark.LINE, Mark.SOFT, Mark.HARD, Mark.EMPTY
OPEN, OPEN_LOOSE, CLOSE = Mark.OPEN, Mark.OPEN_LOOSE, Mark.CLOSE
INDENT, INDENT_BROKEN, DEDENT = Mark.INDENT, Mark.INDENT_BROKEN, Mark.DEDENT


class Unindented(NamedTuple):
    """A node inside parentheses, which already indent its lines."""

    node: Node


Part = Node | Leaf
Item = Mark | Leaf | Node | Unindented

_QUERIES = {
    "select_block",
    "modified",
    "with_query",
    "table_query",
    "intersect",
    "set_operation",
    "pipe",
    "from_first",
    "from_clause",
    "inline_values",
}
# Rules whose parentheses directly follow a word: calls, types, and column names after an alias.
_TIGHT = {
    "call_without_arguments",
    "plain_call",
    "quantified_call",
    "call_from",
    "call_trim",
    "call_placing",
    "call_to",
    "json_call",
    "clauses_call",
    "query_call",
    "table_function",
    "table_function_of_table",
    "json_table",
    "table_argument_call",
    "lateral_view",
    "pipe_lateral_view",
    "row_type",
    "interval_field",
    "base_type",
}
_TIGHT_LISTS = {("alias", "name_list"), ("bare_alias", "name_list"), ("any_alias", "name_list"), ("cte", "name_list")}
_OPTIONS = {
    "comment",
    "default_collation",
    "location",
    "schema_mode",
    "table_bucket_count",
    "table_buckets",
    "table_clustering",
    "table_connector",
    "table_distribution",
    "table_format",
    "table_options",
    "table_partition_keys",
    "table_row_format",
    "table_storage",
    "table_storage_classes",
    "tblproperties",
}
_ANGLED = {"array_type", "multiset_type", "map_type", "row_type"}
_BINDING = {**BINDING[Dialect.FLINK], **BINDING[Dialect.SPARK]}


def layout(tree: Node) -> list[Op]:
    """Return the tokens of a statement and the marks between them."""
    ops: list[Op] = []
    stack: list[Item] = [tree]
    while stack:
        item = stack.pop()
        if isinstance(item, Node):
            stack.extend(reversed(_RULES.get(item.name, _generic)(item)))
        elif isinstance(item, Unindented):
            rule = _UNINDENTED.get(item.node.name)
            stack.append(item.node) if rule is None else stack.extend(reversed(rule(item.node)))
        else:
            ops.append(item)
    return ops


# --- defaults by sign ------------------------------------------------------------------------------------------------


def _is(part: Part, *texts: str) -> bool:
    return isinstance(part, Leaf) and part.kind in ("sign", "word") and part.text in texts


def _is_query(part: Part) -> bool:
    return isinstance(part, Node) and part.name in _QUERIES


def _between(rule: str, left: Part, right: Part) -> list[Item]:
    """Return the mark between two adjacent parts of a rule."""
    if _is(right, ",", ")", "]", ".", "[", "::", ";") or _is(left, "(", "[", ".", "::"):
        return []
    if _is(right, "("):
        exists = rule == "query_call" and _is(left, "EXISTS")
        return [] if rule in _TIGHT and not exists else [SPACE]
    if isinstance(right, Node) and (right.name in ("type_numbers", "digits") or (rule, right.name) in _TIGHT_LISTS):
        return []
    if rule in _ANGLED and (_is(left, "<") or _is(right, "<", ">", "<>")):
        return [SPACE] if _is(left, "<") and _is(right, ">") else []
    if rule == "typed_literal" and _is(left, "X"):
        return []
    if rule == "table_argument_query" or (rule == "table_value" and _is(left, "TABLE")):
        return [] if _opens(right) else [SPACE]
    if _is(left, ":"):
        return [SPACE] if rule == "row_field" else []
    if _is(right, ":"):
        return []
    if rule in ("signed", "not_") and _is(left, "-", "+", "~", "!"):
        return [SPACE] if _is(_first(right), left.text) else []  # type: ignore[union-attr]  # a signed value has a first token
    if _is_query(right) and not _is(left, "("):
        return [HARD]
    return [SPACE]


def _first(part: Part) -> Leaf:
    while isinstance(part, Node):
        part = part.children[0]
    return part


def _opens(part: Part) -> bool:
    return _is(_first(part), "(")


def _generic(node: Node) -> list[Item]:
    return _sequence(node.name, node.children)


def _sequence(rule: str, parts: list[Part], comma: Mark = SPACE, other: Mark = SPACE) -> list[Item]:
    """Return parts with the marks between them; each pair of parentheses is a group."""
    made: list[Item] = []
    previous: Part | None = None
    number = 0
    while number < len(parts):
        part = parts[number]
        if previous is not None:
            between = _between(rule, previous, part)
            if between == [SPACE]:
                between = [comma if _is(previous, ",") else other]
            made += between
        if _is(part, "(", "["):
            end = _closing(parts, number)
            made += _enclosed(rule, parts[number : end + 1])
            number = end
        else:
            made.append(part)
        previous = parts[number]
        number += 1
    return made


def _closing(parts: list[Part], start: int) -> int:
    depth = 0
    for number in range(start, len(parts)):
        if _is(parts[number], "(", "["):
            depth += 1
        elif _is(parts[number], ")", "]"):
            depth -= 1
            if depth == 0:
                return number
    raise AssertionError("a rule of the grammar closes what it opens")


def _enclosed(rule: str, parts: list[Part], other: Mark = SPACE) -> list[Item]:
    """Return a pair of parentheses or brackets and its contents."""
    first, *inner, last = parts
    if not inner:
        return [first, last]
    if _is(first, "[") and len(inner) == 1 and isinstance(inner[0], Leaf):
        # A subscript of one token never breaks.
        return [first, inner[0], last]
    if len(inner) == 1 and _is_query(inner[0]):
        return [first, INDENT, HARD, inner[0], DEDENT, HARD, last]
    items: list[Item]
    if len(inner) == 1 and isinstance(inner[0], Node):
        items = [Unindented(inner[0])]
    else:
        items = _sequence(rule, inner, comma=LINE, other=other)
    return [OPEN, first, INDENT, SOFT, *items, DEDENT, SOFT, last, CLOSE]


# --- clauses ---------------------------------------------------------------------------------------------------------


def _head(parts: list[Part]) -> int:
    """Return the number of keywords and hints that begin a clause."""
    number = 0
    while number < len(parts):
        part = parts[number]
        if not (isinstance(part, Leaf) and part.kind == "word") and not (
            isinstance(part, Node) and part.name == "hint_comment"
        ):
            break
        number += 1
    return number


def _clause(node: Node) -> list[Item]:
    return _clause_of(node.name, node.children)


def _clause_of(rule: str, parts: list[Part]) -> list[Item]:
    """Lay out a clause: its keywords, then its items, all on one line or each on a line of its own."""
    size = _head(parts)
    head, items = _sequence(rule, parts[:size]), _sequence(rule, parts[size:], comma=LINE)
    if not items:
        return head
    return [OPEN, *head, INDENT, LINE, *items, DEDENT, CLOSE]


def _loose_clause(node: Node) -> list[Item]:
    """Lay out a clause whose items fill line after line."""
    size = _head(node.children)
    items = _sequence(node.name, node.children[size:], comma=LINE)
    return [*_sequence(node.name, node.children[:size]), SPACE, OPEN_LOOSE, INDENT_BROKEN, *items, DEDENT, CLOSE]


def _select_block(node: Node) -> list[Item]:
    parts = node.children
    end = len(parts)
    while end and isinstance(parts[end - 1], Node) and not _is(parts[end - 2], ",") and _is_clause(parts[end - 1]):
        end -= 1
    made = _clause_of(node.name, parts[:end])
    for clause in parts[end:]:
        made += [HARD, clause]
    return made


_CLAUSES = {"script", "from_clause", "where", "having", "qualify", "group_by", "group_by_all", "window_clause"}


def _is_clause(part: Part) -> bool:
    return isinstance(part, Node) and part.name in _CLAUSES


def _lines(node: Node) -> list[Item]:
    """Lay out each part on a line of its own."""
    made: list[Item] = []
    for part in node.children:
        made += [HARD, part] if made else [part]
    return made


def _with_query(node: Node) -> list[Item]:
    first, query, *modifiers = node.children
    made: list[Item] = [first, EMPTY, query]
    for modifier in modifiers:
        made += [HARD, modifier]
    return made


def _with_clause(node: Node) -> list[Item]:
    made: list[Item] = []
    previous: Part | None = None
    for part in node.children:
        if previous is not None and not _is(part, ","):
            made.append(EMPTY if _is(previous, ",") else SPACE)
        made.append(part)
        previous = part
    return made


def _hint(node: Node) -> list[Item]:
    """Lay out a hint on one line, because other readers take it for a comment."""
    made: list[Item] = []
    for number, part in enumerate(node.children):
        if number and not (_is(part, "(", ")", ",") or _is(node.children[number - 1], "(")):
            made.append(SPACE)
        made.append(part)
    return made


def _subquery(node: Node) -> list[Item]:
    first, query, last = node.children
    return [first, INDENT, HARD, query, DEDENT, HARD, last]


def _set_operation(node: Node) -> list[Item]:
    left, *words, right = node.children
    before = SPACE if _ends_in_parentheses(left) else HARD
    after = SPACE if isinstance(right, Node) and right.name in _SUBQUERIES and before is SPACE else HARD
    return [left, before, *_sequence(node.name, words), after, right]


_SUBQUERIES = {"subquery", "same"}


def _ends_in_parentheses(part: Part) -> bool:
    if isinstance(part, Node) and part.name in ("set_operation", "intersect"):
        part = part.children[-1]
    return isinstance(part, Node) and part.name in _SUBQUERIES


def _pipe(node: Node) -> list[Item]:
    left, sign, first, *others = node.children
    if not others:
        return [left, HARD, sign, SPACE, first]
    # One step may combine clauses such as ORDER BY and LIMIT.
    made: list[Item] = [left, HARD, sign, SPACE, OPEN, first, INDENT]
    for other in others:
        made += [LINE, other]
    return [*made, DEDENT, CLOSE]


def _pipe_aggregate(node: Node) -> list[Item]:
    *parts, last = node.children
    if isinstance(last, Node) and last.name == "pipe_group_by":
        return [OPEN, *_clause_of(node.name, parts), INDENT, LINE, last, DEDENT, CLOSE]
    return _clause(node)


def _pipe_select(node: Node) -> list[Item]:
    """Lay out a SELECT in a pipe: its clauses share a line, or have one each."""
    end = len(node.children)
    while end and _is_clause(node.children[end - 1]):
        end -= 1
    if end == len(node.children):
        return _clause(node)
    made: list[Item] = [OPEN, *_clause_of(node.name, node.children[:end]), INDENT]
    for clause in node.children[end:]:
        made += [LINE, clause]
    return [*made, DEDENT, CLOSE]


def _from_clause(node: Node) -> list[Item]:
    views = [part for part in node.children if isinstance(part, Node) and part.name == "lateral_view"]
    parts = node.children[: len(node.children) - len(views)]
    made = _clause_of(node.name, parts) if len(parts) > 2 else _sequence(node.name, parts)
    for view in views:
        made += [HARD, view]
    return made


def _join(node: Node) -> list[Item]:
    left, *rest = node.children
    made: list[Item] = [left, HARD]
    if isinstance(rest[-1], Node) and rest[-1].name in ("on", "using"):
        return [*made, *_sequence(node.name, rest[:-1]), HARD, rest[-1]]
    return [*made, *_sequence(node.name, rest)]


def _pipe_join(node: Node) -> list[Item]:
    *rest, last = node.children
    if isinstance(last, Node) and last.name in ("on", "using"):
        return [OPEN_LOOSE, *_sequence(node.name, rest), INDENT_BROKEN, LINE, last, DEDENT, CLOSE]
    return _generic(node)


def _extended(node: Node) -> list[Item]:
    left, *rest = node.children
    return [left, HARD, *_sequence(node.name, rest)]


def _pivot(node: Node) -> list[Item]:
    """Lay out PIVOT: its aggregates and its FOR clause have lines of their own."""
    start = next(number for number, part in enumerate(node.children) if _is(part, "("))
    middle = next(number for number, part in enumerate(node.children) if _is(part, "FOR"))
    end = _closing(node.children, start)
    words, aggregates = node.children[: start + 1], node.children[start + 1 : middle]
    return [
        *_sequence(node.name, words[:-1]),
        SPACE,
        words[-1],
        INDENT,
        HARD,
        OPEN,
        *_sequence(node.name, aggregates, comma=LINE),
        CLOSE,
        HARD if node.name == "pivot" else SPACE,
        *_sequence(node.name, node.children[middle:end]),
        DEDENT,
        HARD,
        *_sequence(node.name, node.children[end : end + 1]),
        *[item for part in node.children[end + 1 :] for item in (SPACE, part)],
    ]


def _inline_values(node: Node) -> list[Item]:
    rows = node.children[1:]
    if len(rows) > 1 and any(isinstance(row, Node) for row in rows):
        return [node.children[0], INDENT, HARD, *_sequence(node.name, rows, comma=HARD), DEDENT]
    return _clause(node)


def _values_table(node: Node) -> list[Item]:
    values, *alias = node.children
    many = isinstance(values, Node) and len(values.children) > 2
    return [values, *[item for part in alias for item in (HARD if many else SPACE, part)]]


# --- expressions -----------------------------------------------------------------------------------------------------


def _logical(node: Node) -> list[Item]:
    return [OPEN, INDENT_BROKEN, node.children[0], *_connected(node), DEDENT, CLOSE]


def _connected(node: Node) -> list[Item]:
    """Return the conditions after the first, each preceded by its AND or OR."""
    made: list[Item] = []
    for number, part in enumerate(node.children[1:]):
        made += [SPACE if number % 2 else LINE, part]
    return made


def _logical_in_parentheses(node: Node) -> list[Item]:
    return [OPEN, node.children[0], *_connected(node), CLOSE]


def _operation(node: Node) -> list[Item]:
    """Lay out a chain of operators, which breaks at the operators of the lowest precedence first."""
    levels = sorted({_BINDING[part.text] for part in node.children[1::2] if isinstance(part, Leaf)})
    return _by_level(node.children, levels, 0)


def _by_level(parts: list[Part], levels: list[int], number: int) -> list[Item]:
    if len(parts) == 1:
        return [parts[0]]
    # If all lowest-level operators follow a single operand, the operand stays outside the indentation.
    is_single = isinstance(parts[1], Leaf) and _BINDING[parts[1].text] == levels[number]
    made: list[Item] = [OPEN_LOOSE, *([parts[0], INDENT_BROKEN] if is_single else [INDENT_BROKEN])]
    start = 0
    for place in range(1, len(parts), 2):
        operator = parts[place]
        if isinstance(operator, Leaf) and _BINDING[operator.text] == levels[number]:
            if place > 1 or not is_single:
                made += _by_level(parts[start:place], levels, number + 1)
            made += [LINE, operator, SPACE]
            start = place + 1
    if start == 0:
        return _by_level(parts, levels, number + 1)
    return [*made, *_by_level(parts[start:], levels, number + 1), DEDENT, CLOSE]


def _case(node: Node) -> list[Item]:
    made: list[Item] = [OPEN, node.children[0], INDENT]
    for part in node.children[1:-1]:
        if (isinstance(part, Node) and part.name == "when") or _is(part, "ELSE"):
            made += [LINE, part]
        else:
            made += [SPACE, part]
    return [*made, DEDENT, LINE, node.children[-1], CLOSE]


def _when(node: Node) -> list[Item]:
    when, condition, then, value = node.children
    return [OPEN_LOOSE, when, SPACE, condition, INDENT_BROKEN, LINE, then, SPACE, value, DEDENT, CLOSE]


def _window(node: Node) -> list[Item]:
    return _enclosed(node.name, node.children, other=LINE)


def _within_group(node: Node) -> list[Item]:
    """Lay out WITHIN GROUP like the ORDER BY of a window."""
    opening = next(number for number, part in enumerate(node.children) if _is(part, "("))
    order = Node("window_order", node.children[opening + 1 : -1])
    words, ends = node.children[:opening], (node.children[opening], node.children[-1])
    return [*_sequence(node.name, words), SPACE, *_enclosed(node.name, [ends[0], order, ends[1]])]


def _create(node: Node) -> list[Item]:
    """Lay out CREATE: the options get lines of their own if they do not fit, and the query follows below."""
    parts, last = list(node.children), node.children[-1]
    if isinstance(last, Node) and last.name == "source_query":
        parts = [*parts[:-1], *last.children]
    made: list[Item] = [OPEN]
    end = len(parts) - (1 if _is_query(parts[-1]) else 0)
    has_query = end < len(parts)
    start = 0
    for number, part in enumerate(parts[:end]):
        is_option = isinstance(part, Node) and part.name in _OPTIONS
        if is_option or (has_query and number == end - 1):
            made += [*_sequence(node.name, parts[start:number]), LINE]
            start = number
    made += [*_sequence(node.name, parts[start:end]), CLOSE]
    return [*made, HARD, parts[-1]] if has_query else made


def _statements(node: Node) -> list[Item]:
    """Lay out a statement set: each statement is indented and begins a line."""
    parts = node.children
    # The set begins with BEGIN STATEMENT SET; or EXECUTE STATEMENT SET BEGIN.
    start = 1 + next(n for n, part in enumerate(parts) if _is(part, ";" if _is(parts[0], "BEGIN") else "BEGIN"))
    made = [*_sequence(node.name, parts[:start]), INDENT]
    for part in parts[start:-1]:
        made += [part] if _is(part, ";") else [HARD, part]
    return [*made, DEDENT, HARD, parts[-1]]


_Layout = Callable[[Node], list[Item]]
_RULES: dict[str, _Layout] = {
    "select_block": _select_block,
    "mapped": _select_block,
    "modified": _lines,
    "from_first": _lines,
    "with_query": _with_query,
    "with_clause": _with_clause,
    "hint": _hint,
    "subquery": _subquery,
    "same": _subquery,
    "set_operation": _set_operation,
    "intersect": _set_operation,
    "pipe": _pipe,
    "pipe_aggregate": _pipe_aggregate,
    "pipe_select": _pipe_select,
    "pipe_join": _pipe_join,
    "pipe_join_lateral": _pipe_join,
    "from_clause": _from_clause,
    "join": _join,
    "join_lateral": _join,
    "extended": _extended,
    "pivot": _pivot,
    "unpivot": _pivot,
    "inline_values": _inline_values,
    "values_table": _values_table,
    "logical": _logical,
    "operation": _operation,
    "case": _case,
    "when": _when,
    "window": _window,
    "within_group": _within_group,
    "statement_set": _statements,
    **dict.fromkeys(("create_view", "create_table", "replace_table", "create_database", "create_catalog"), _create),
    **dict.fromkeys(
        (
            "group_by",
            "order_by",
            "order_by_all",
            "sort_by",
            "distribute_by",
            "cluster_by",
            "window_clause",
            "pipe_extend",
            "pipe_set",
            "pipe_drop",
            "pipe_group_by",
        ),
        _clause,
    ),
    **dict.fromkeys(("window_partition", "window_order", "partition_by", "argument_order"), _loose_clause),
}
_UNINDENTED: dict[str, _Layout] = {"logical": _logical_in_parentheses}
