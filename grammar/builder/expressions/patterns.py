"""Builds LIKE ANY, LIKE SOME and LIKE ALL, which compare a string with several patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.expressions.operands import Make, is_value_of_query, negate_if
from grammar.builder.expressions.pattern_constants import compute_text
from grammar.errors import Misread
from grammar.language import Form
from grammar.syntax.base import fields_of
from ir.expressions import Expression, ValueLiteral
from ir.functions import comparison as c
from ir.functions import logic as lg
from ir.functions.string import LOWER
from ir.identifiers import fold
from ir.literals import literal
from ir.types import STRING, StringType
from ir.unresolved import UnresolvedCall

if TYPE_CHECKING:
    from grammar.builder.expressions.building import BuildsExpressions


def build_like_several(builder: BuildsExpressions, node: s.Predicate) -> tuple[Make, list[Any]]:
    """Return the constructor of a comparison with several patterns, and its operands.

    Spark types a list of constant patterns differently from separate comparisons, so that such a list stays a list.

    Raises:
        Misread: the dialect or the operator has no such comparison, or the patterns are invalid.
    """
    operator, quantifier = node.detail.split()
    builder.language.refuse(Form.SEVERAL_PATTERNS, node.position, comparison=node.detail, operator=operator)
    if operator not in ("LIKE", "ILIKE"):
        raise Misread(node.position, f"{operator} takes one pattern; only LIKE and ILIKE have {quantifier}.")
    value, right = node.operands
    if type(right) is s.Row:
        patterns = right.items
    elif type(right) is s.Parenthesised:
        patterns = [right.inner]
    elif is_value_of_query(right, builder.places.text):
        patterns = [right]
    else:
        raise Misread(right.position, f"After {node.detail} stand patterns in parentheses.")
    constants = [_constant(builder, pattern) for pattern in patterns]
    if None in constants:
        builder.separate_patterns.add(id(node))
        return _compare_one_by_one(node, quantifier == "ALL"), [value, *patterns]
    # NOT LIKE ANY means that not all patterns match, NOT LIKE ALL that none matches.
    of_all = (quantifier == "ALL") is not node.negated and len(constants) > 1
    function = c.LIKE_ALL if of_all else c.LIKE_ANY
    lowered = operator == "ILIKE"
    written = [_lower_case(constant) if lowered else constant for constant in constants if constant is not None]

    def make(operands: list[Expression]) -> Expression:
        text = UnresolvedCall(LOWER, (operands[0],)) if lowered else operands[0]
        return UnresolvedCall(function, (text, *written))

    return negate_if(make, node.negated), [value]


def refuse_no_patterns(node: s.Predicate) -> None:
    """Reject LIKE ANY () and similar, which the parser reads as a function call.

    Raises:
        Misread: the right operand is an empty pattern list.
    """
    right = node.operands[1]
    if type(right) is not s.Call or right.arguments or node.detail not in ("LIKE", "ILIKE"):
        return
    if len(right.function.names) == 1 and fold(right.function.names[0].text) in ("any", "some", "all"):
        message = f"Between the parentheses after {right.function.names[0].text.upper()} stand patterns."
        raise Misread(right.position, message, "INVALID_SQL_SYNTAX.EMPTY_QUANTIFIED_PATTERN")


def _compare_one_by_one(node: s.Predicate, of_all: bool) -> Make:
    from grammar.builder.expressions.operands import operator

    function = operator(node.detail.split()[0])
    connective = lg.AND if of_all else lg.OR

    def make(operands: list[Expression]) -> Expression:
        value, *patterns = operands
        test = negate_if(lambda pair: UnresolvedCall(function, tuple(pair)), node.negated)
        tests = [test([value, pattern]) for pattern in patterns]
        return tests[0] if len(tests) == 1 else UnresolvedCall(connective, tuple(tests))

    return make


def _lower_case(constant: ValueLiteral) -> ValueLiteral:
    return constant if constant.is_null else literal(constant.value.lower())


def _constant(builder: BuildsExpressions, pattern: Any) -> ValueLiteral | None:
    """Return the constant of a pattern, None if Spark compares with each pattern separately.

    Raises:
        Misread: Spark evaluates the pattern in a way that is unsupported here.
    """
    pieces: list[ValueLiteral] = []
    pending = [(pattern, False)]
    while pending:
        part, is_text = pending.pop()
        target, value = _cast(part)
        if type(part) is s.Parenthesised:
            pending.append((part.inner, is_text))
        elif type(part) is s.Text:
            pieces.append(builder.constant(part))
        elif type(part) is s.Parameter:
            given = builder.parameter(part)
            if not isinstance(given, ValueLiteral) or not isinstance(given.type_, StringType):
                return None
            pieces.append(given)
        elif type(part) is s.Operation and all(operator.text == "||" for operator in part.operators):
            pending.extend((operand, is_text) for operand in reversed(part.operands))
        elif target is not None:
            if not isinstance(builder.type_of(target), StringType):
                return None
            pending.append((value, True))
        elif type(part) is s.Null and is_text:
            pieces.append(ValueLiteral(None, STRING))
        elif _is_computed(part, is_text):
            return _compute(builder, pattern)
        else:
            return None
    if any(piece.is_null for piece in pieces):
        return ValueLiteral(None, STRING)
    return pieces[0] if len(pieces) == 1 else literal("".join(str(piece.value) for piece in pieces))


def _compute(builder: BuildsExpressions, pattern: Any) -> ValueLiteral | None:
    is_text, value = compute_text(builder, pattern)
    if is_text and value is None:
        raise Misread(pattern.position, "This pattern is computed of constants; write the text that it is.")
    return value


def _cast(part: Any) -> tuple[Any, Any]:
    """Return the target type and the value of a cast, a pair of None for other nodes."""
    if type(part) is s.Cast:
        return part.target, part.value
    if type(part) is s.Call and len(part.arguments) == 1 and [fold(n) for n in part.function.parts] == ["cast"]:
        (typed,) = part.arguments
        if type(typed) is s.Typed:
            return typed.target, typed.expression
    return None, None


def _is_computed(root: Any, is_text: bool) -> bool:
    """Whether Spark evaluates a pattern without columns and functions: CASE, or an expression cast to a string."""
    if type(root) in (s.Number, s.Boolean, s.TypedText, s.Interval):
        return is_text
    if type(root) is not s.Case and not (is_text and type(root) in (s.Operation, s.Signed)):
        return False
    pending: list[Any] = [root]
    while pending:
        part: Any = pending.pop()
        if isinstance(part, (list, tuple)):
            pending.extend(part)
        elif isinstance(part, s.Syntax):
            if isinstance(part, (s.Path, s.ScalarSubquery)) or (isinstance(part, s.Call) and _cast(part)[0] is None):
                return False
            # Spark treats BETWEEN as a function call.
            if isinstance(part, s.Predicate) and part.kind == "between":
                return False
            pending.extend(getattr(part, name) for name in fields_of(part) if not isinstance(part, s.Call))
    return True
