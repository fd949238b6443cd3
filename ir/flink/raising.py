"""Raising of expressions of Flink's SQL: ``raised(to_flink(x)) == x``.

The parser makes an expression that states in Spark's terms what the text says. Raising goes up from the leaves and
finds for each part a simpler expression that has the part as its form: the same call without casts of its arguments, or
a candidate of an inverse (``inverses.py``). A candidate is accepted only if its form, parsed again, is the same part,
so that a wrong one does no harm. Each part has few candidates, and all results are cached: the cost is linear.

If two expressions have the same form, the plain text means the simpler one. The other is written with an argument in
double parentheses, which Flink ignores: in ``((CAST(a AS DOUBLE))) / b``, the cast belongs to the query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ir import calls
from ir.call_expressions import Call, Over
from ir.cast_rules import written_type
from ir.errors import TableException, ValidationException
from ir.expressions import ResolvedExpression, SortOrder, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.flink.constants import cast_of, constant_of, constant_of_number, is_number
from ir.flink.forms import form_of
from ir.flink.inverses import EXTREMES, INVERSES, MEANINGS, WHOLE_INVERSES, cast_row, drop_casts
from ir.flink.marks import is_marked, mark
from ir.functions.aggregate import SUM0
from ir.functions.collection import GET, ROW
from ir.functions.comparison import IN
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.flink import MARK, ROW_OF_TYPE
from ir.functions.logic import COALESCE
from ir.functions.string import POSITION
from ir.functions.time_window import END, START, is_time_window
from ir.literals import literal
from ir.nodes import post_order
from ir.operations.operation import TableReference
from ir.rewriting import replace_children
from ir.types import LogicalType

_Memo = dict[ResolvedExpression, ResolvedExpression]


class Raiser:
    """Raises the expressions of one text, and caches the results."""

    def __init__(self) -> None:
        self._raised: _Memo = {}
        self._meant: _Memo = {}
        self._unmarked: _Memo = {}
        self._formed: dict[ResolvedExpression, ResolvedExpression | None] = {}
        self._reread: _Memo = {}

    def raise_expression(self, root: ResolvedExpression) -> ResolvedExpression:
        """Return the expression whose text in Flink's SQL was parsed as ``root``."""
        for part in _walk_unfinished(root, self._raised):
            self._raised[part] = self._raise_part(part)
        found = self._raised[root]
        for part in _walk_unfinished(found, self._meant):
            children = tuple([self._meant[child] for child in part.children])
            self._meant[part] = _meaning(part if children == part.children else replace_children(part, children))
        return self._meant[found]

    def _raise_part(self, part: ResolvedExpression) -> ResolvedExpression:
        if isinstance(part, Call) and part.function is MARK:
            inner = self._raised[part.arguments[0]]
            inverses = WHOLE_INVERSES.get(inner.function, ()) if isinstance(inner, Call) else ()
            marks = find_marked_positions(part.arguments[0])
            candidates = chain.from_iterable(inverse(inner, marks) for inverse in inverses)
            return self._choose_candidate(candidates, part) or inner
        if isinstance(part, ValueLiteral):
            return constant_of_number(part) if is_number(part) else part
        if isinstance(part, Call) and part.function is CAST and isinstance(part.arguments[0], ValueLiteral):
            constant = constant_of(part.arguments[0], part.type_)
            if constant is not None:
                return constant
        marks = find_marked_positions(part)
        base = rebuild_part(part, [self._raised[child] for child in part.children], is_constant=False)
        if isinstance(part, Call) and part.function is COALESCE and _covers_whole_call(base, part.arguments[0]):
            marks = find_marked_positions(part.arguments[0])
        casted = part.arguments[0] if isinstance(part, Call) and part.function is CAST else None
        of_inner = frozenset() if casted is None else find_marked_positions(casted)
        chosen = self._choose_candidate(_candidates(base, marks, of_inner), part)
        if chosen is None and isinstance(base, Call) and base.function is ROW_OF_TYPE:
            return cast_row(base)
        return chosen or base

    def _choose_candidate(
        self, candidates: Iterable[ResolvedExpression | None], part: ResolvedExpression
    ) -> ResolvedExpression | None:
        """Return the first candidate whose form is parsed as ``part``."""
        for candidate in candidates:
            if candidate is not None and self.form(candidate) is self.unmarked(part):
                return candidate
        return None

    def unmarked(self, root: ResolvedExpression) -> ResolvedExpression:
        """Return a parsed expression without double parentheses."""
        for part in _walk_unfinished(root, self._unmarked):
            children = [self._unmarked[child] for child in part.children]
            is_mark = isinstance(part, Call) and part.function is MARK
            self._unmarked[part] = children[0] if is_mark else rebuild_part(part, children)
        return self._unmarked[root]

    def form(self, root: ResolvedExpression) -> ResolvedExpression | None:
        """Return the form of an expression as parsed again, without marks; None if it has no form."""

        for part in _walk_unfinished(root, self._formed):
            children = [found for child in part.children if (found := self._formed[child]) is not None]
            self._formed[part] = None
            if len(children) == len(part.children):
                try:
                    made = replace_children(part, tuple(children))
                    self._formed[part] = row_of_window(made) if is_time_window(made) else form_of(made)
                except (TableException, ValidationException):
                    continue
        formed = self._formed[root]
        return None if formed is None else self.unmarked(self.reread(formed))

    def reread(self, root: ResolvedExpression) -> ResolvedExpression:
        """Parse the text of a form again, and return the expression with the types that its calls have in Spark."""
        for part in _walk_unfinished(root, self._reread):
            self._reread[part] = rebuild_part(part, [self._reread[child] for child in part.children])
        return self._reread[root]


def _meaning(part: ResolvedExpression) -> ResolvedExpression:
    """Return the equivalent in Spark of a call of a Flink function that is not a form of another call."""
    return MEANINGS[part.function](part) if isinstance(part, Call) and part.function in MEANINGS else part


def _walk_unfinished(
    root: ResolvedExpression, done: Mapping[ResolvedExpression, object]
) -> Iterator[ResolvedExpression]:
    """Yield the parts of ``root`` that are not done, children first, without descending into parts that are done."""
    stack = [(root, False)]
    while stack:
        part, ready = stack.pop()
        if part in done:
            continue
        if ready:
            yield part
        else:
            stack.append((part, True))
            stack += [(child, False) for child in reversed(part.children)]


def row_of_window(window: ResolvedExpression) -> ResolvedExpression:
    """Return the form of a window in Flink's SQL: a row of its bounds."""
    return row_of_type(window.data_type, [calls.call(GET, (window, literal(name))) for name in (START, END)])


def rebuild_part(
    part: ResolvedExpression, children: list[ResolvedExpression], *, is_constant: bool = True
) -> ResolvedExpression:
    """Return a part with other children as parsed: with inferred types, and a constant for the text of a constant."""
    try:
        if isinstance(part, Call):
            return _call_of(part, children, is_constant)
        if isinstance(part, Over):
            return _rebuild_over(part, children)
    except (TableException, ValidationException):
        pass
    return replace_children(part, tuple(children))


def _call_of(part: Call, children: list[ResolvedExpression], is_constant: bool = True) -> ResolvedExpression:
    arguments, condition = children[: len(part.arguments)], part.filter
    inference = part.function.inference
    if (inference.of_usage or inference.of_expected_output) and _are_alike(arguments, part.arguments):
        # The type was inferred with the context of the call, which is unknown here.
        return part.with_children(tuple(children))
    if condition is not None:
        condition = children[-1]
    if is_constant and part.function is CAST and isinstance(arguments[0], ValueLiteral):
        found = constant_of(arguments[0], part.type_)
        if found is not None:
            return found
    if part.function is IN:
        arguments = [_build_searched_row(arguments[0], arguments[1:]), *arguments[1:]]
    if part.function is ROW:
        return row_of_type(part.type_, arguments[1::2])
    orders = children[len(part.arguments) : len(part.arguments) + len(part.order_by)]
    order_by = tuple([order for order in orders if isinstance(order, SortOrder)])
    clauses = calls.Clauses.of(part)._replace(filter=condition, order_by=order_by)
    return calls.call(part.function, arguments, clauses)


def _are_alike(ours: Sequence[ResolvedExpression], theirs: Sequence[ResolvedExpression]) -> bool:
    return [value.data_type for value in ours] == [value.data_type for value in theirs]


def _build_searched_row(value: ResolvedExpression, others: Sequence[ResolvedExpression]) -> ResolvedExpression:
    """Return the searched values of IN as an untyped row, as the text has them."""
    is_row = isinstance(value, Call) and value.function is ROW_OF_TYPE
    if not is_row or not isinstance(others[0], TableReference):
        return value
    assert isinstance(value, Call)
    return calls.call(ROW, [x for n, v in enumerate(value.arguments[1:]) for x in (literal(f"f{n}"), v)])


def row_of_type(kind: LogicalType, values: Sequence[ResolvedExpression]) -> ResolvedExpression:
    """Return a row as parsed: values with a type that names the fields."""
    return calls.call(ROW_OF_TYPE, (TypeLiteral(written_type(kind).as_nullable()), *values))


def _rebuild_over(part: Over, children: list[ResolvedExpression]) -> ResolvedExpression:
    call = part.call
    made = _call_of(call, children[: len(call.children)])
    if not isinstance(made, Call):
        return replace_children(part, tuple(children))
    changed = replace_children(part, tuple(children))
    assert isinstance(changed, Over)
    return changed.evolve(call=made)


def function_of(part: ResolvedExpression) -> FunctionDefinition | None:
    """Return the function of a call, possibly over a window."""
    call = part.call if isinstance(part, Over) else part
    return call.function if isinstance(call, Call) else None


def _covers_whole_call(base: ResolvedExpression, first: ResolvedExpression) -> bool:
    """Whether COALESCE together with its first argument was written for a single call."""
    return function_of(base) is SUM0 or function_of(first) in EXTREMES


def find_marked_positions(part: ResolvedExpression) -> frozenset[int]:
    """Return the positions of the arguments of a call that are in double parentheses."""
    call = part.call if isinstance(part, Over) else part
    if not isinstance(call, Call):
        return frozenset()
    return frozenset(i for i, a in enumerate(call.arguments) if is_marked(a))


def _candidates(
    base: ResolvedExpression, marks: frozenset[int], of_inner: frozenset[int]
) -> Iterator[ResolvedExpression | None]:
    """Yield candidates that may have been written as ``base``, whose arguments are raised, the simplest first.

    For a cast, ``of_inner`` are the marks of its operand.
    """
    call = base.call if isinstance(base, Over) else base
    if isinstance(call, Call):
        for inverse in INVERSES.get(call.function, ()):
            if call.function is not CAST:
                yield from inverse(base, marks)
            elif not marks:
                yield from inverse(base, of_inner)
        yield from drop_casts(base, marks)


# --- writing of forms ------------------------------------------------------------------------------------------------


def build_form(root: ResolvedExpression) -> ResolvedExpression:
    """Return the form of an expression, with marks where another expression has the same form.

    Raises:
        TableException: a part of the expression has no equivalent in Flink.
    """

    reader = Raiser()
    done: _Memo = {}
    for part in post_order(root, lambda e: e.children):
        form = form_of(replace_children(part, tuple([done[child] for child in part.children])))
        done[part] = form if _has_one_reading(part, form) else _disambiguate(reader, part, form)
    return done[root]


def _has_one_reading(written: ResolvedExpression, form: ResolvedExpression) -> bool:
    """Whether a form is certain to be parsed as the written expression: it has no optional cast, and no inverse."""
    if not isinstance(written, Call):
        return not isinstance(written, Over)
    return form is written and written.function not in INVERSES and not any(map(is_cast, written.arguments))


def _disambiguate(reader: Raiser, written: ResolvedExpression, form: ResolvedExpression) -> ResolvedExpression:
    """Return a form that is parsed as the written expression, with marks if needed.

    Raises:
        TableException: every form is parsed as another expression.
    """
    if reader.raise_expression(reader.reread(form)) is written:
        return form
    for marked in _yield_marked_forms(written, form):
        if reader.raise_expression(reader.reread(marked)) is written:
            return marked
    other = reader.raise_expression(reader.reread(form))
    raise TableException(f"Flink's SQL has no text of {written!r} that is read as it: {other!r} has the same one.")


def _yield_marked_forms(written: ResolvedExpression, form: ResolvedExpression) -> Iterator[ResolvedExpression]:
    """Yield a form with marks at the arguments that were casts in the query, then at each argument, then at all."""
    call = form.call if isinstance(form, Over) else form
    if not isinstance(call, Call):
        return
    before = written.call if isinstance(written, Over) else written
    if call.function is POSITION:
        # SQL does not allow parentheses around its first operand.
        yield call.evolve(arguments=(call.arguments[0], mark(call.arguments[1])))
        yield mark(call)
        yield mark(call.evolve(arguments=(call.arguments[0], mark(call.arguments[1]))))
        return
    values = [i for i, a in enumerate(call.arguments) if not isinstance(a, _NEVER_MARKED)]
    choices: list[tuple[int, ...]] = [(i,) for i in values[:_MOST_SINGLE_MARKS]]
    if isinstance(before, Call) and len(before.arguments) == len(call.arguments):
        choices.insert(0, tuple(i for i in values if is_cast(before.arguments[i])))
    choices.append(tuple(values))
    for chosen in dict.fromkeys(choices):
        if chosen:
            arguments = [mark(a) if i in chosen else a for i, a in enumerate(call.arguments)]
            made = call.evolve(arguments=tuple(arguments))
            yield form.evolve(call=made) if isinstance(form, Over) else made
    if is_cast(call) or call.function is COALESCE:
        for inner in _yield_marked_forms(written, call.arguments[0]):
            yield call.evolve(arguments=(inner, *call.arguments[1:]))


_MOST_SINGLE_MARKS = 4
_NEVER_MARKED = (SymbolLiteral, TypeLiteral, TableReference)


def is_cast(value: ResolvedExpression) -> bool:
    """Whether a value is written as a cast in Flink's SQL, as some constants are."""
    if isinstance(value, ValueLiteral):
        return cast_of(value) is not None
    return isinstance(value, Call) and value.function in (CAST, TRY_CAST)
