"""A function as data: everything that resolution, typing, emission, documentation and tests know about it (FLIP-51)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary

import attrs

from ir.contents import AGGREGATE, CHANGING, CODE, NOTHING
from ir.dialects.syntax import FUNCTION, CallSyntax
from ir.expressions import ResolvedExpression
from ir.frames import Frame
from ir.identifiers import FunctionIdentifier
from ir.inference.type_inference import ArgumentTypeStrategy, TypeInference
from ir.inference.usage import Usage
from ir.records import record
from ir.types import LogicalType

if TYPE_CHECKING:
    from ir.expressions import Call
    from ir.functions.process import ProcessSignature
    from ir.inference.call_context import CallContext


class FunctionKind(Enum):
    """What a function makes of its input."""

    SCALAR = "scalar"
    ASYNC_SCALAR = "async scalar"
    TABLE = "table"
    AGGREGATE = "aggregate"
    WINDOW = "window"
    TABLE_AGGREGATE = "table aggregate"
    PROCESS_TABLE = "process table"
    OTHER = "other"


class Monotonicity(Enum):
    """How the value of a function changes as an argument grows while the others stay."""

    INCREASING = "increasing"
    DECREASING = "decreasing"


class Fluent(Enum):
    """How a function appears in the fluent API."""

    PROPERTY = "property"
    METHOD = "method"
    FUNCTION = "function"


class FluentForm(NamedTuple):
    """How the fluent API offers a function: by which name, and what its arguments are called there.

    A method's first argument is the expression that it is called on, and not among ``parameters``. A parameter that
    ends in ``?`` may be left out, one that begins with ``*`` takes any number of arguments. A parameter in ``choices``
    means something by these strings alone, in any case: type checkers report any other string.
    """

    kind: Fluent
    name: str
    parameters: tuple[str, ...] = ()
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()


class WithinGroup(NamedTuple):
    """In what order an aggregate may take the rows of a group: ``least`` to ``most`` keys, which ``key`` accepts.

    Attributes:
        instead_of_arguments: whether a call has either arguments or an order.
        nulls_matter: whether it makes a difference where NULL stands.
        with_distinct: whether a call may have DISTINCT, too; it is then ordered by the argument itself.
        beside_window_order: whether a window over which such a call is computed may have an order, too.
    """

    key: ArgumentTypeStrategy
    least: int = 1
    most: int | None = 1
    instead_of_arguments: bool = False
    nulls_matter: bool = False
    with_distinct: bool = False
    beside_window_order: bool = False

    def least_beside(self, arguments: int) -> int:
        """Return how many keys there must be beside so many arguments."""
        return (0 if arguments else 1) if self.instead_of_arguments else self.least

    def most_beside(self, arguments: int) -> int | None:
        """Return how many keys there may be beside so many arguments."""
        return 0 if arguments and self.instead_of_arguments else self.most


class Folding(NamedTuple):
    """How the value of a call is computed from constant arguments.

    Attributes:
        compute: takes the values of the arguments.
        takes_null: whether NULL may be among them; otherwise the call is NULL then.
        takes_call: whether ``compute`` takes the call before the values.
    """

    compute: Callable[..., Any]
    takes_null: bool = False
    takes_call: bool = False


class Mismatch(NamedTuple):
    """Spark's conditions for a call with arguments of wrong types, below DATATYPE_MISMATCH, if not the usual ones.

    Attributes:
        alone: the condition if one argument is wrong whatever the others are.
        first: the same for the first argument.
        together: the condition if each argument might be right beside others.
        of_argument: given the call and the position of the wrong argument, returns its condition, or None.
        before_order: whether Spark reports it before it asks whether the arguments can be ordered.
    """

    alone: str = ""
    first: str = ""
    together: str = ""
    of_argument: Callable[[CallContext, int], str | None] | None = None
    before_order: bool = False


class CollationOf:
    """The rules for the collations of a result that does not get them from all arguments."""

    EXPLICIT = "explicit"
    CAST = "cast"
    COLUMN = "column"
    FIELD = "field"
    ELEMENT = "element"
    FIELDS = "fields"
    ENTRIES = "entries"


class Collating(NamedTuple):
    """Which of its arguments a call casts to one collation, and which collations its result has.

    Attributes:
        unites: whether the texts among the arguments get one collation.
        are_texts: whether an argument that is read as a number counts among the texts if it has a collation.
        first: the position of the first argument that gets it.
        groups: how many arguments in a row belong to groups of their own, as the keys and the values of a map.
        of_bounds: whether the first argument is compared with each of two others by itself.
        expected: with fewer arguments, a text that is left out counts as one of the default collation.
        is_indifferent: whether no collation has to win, because the texts are compared by their characters.
        result: the rule of ``CollationOf`` for the result, if it does not follow from all arguments.
    """

    unites: bool = True
    are_texts: bool = False
    first: int = 0
    groups: int = 1
    of_bounds: bool = False
    expected: int = 0
    is_indifferent: bool = False
    result: str = ""


class Shown(NamedTuple):
    """How Spark shows a call in the name of a column without alias, if not by its name in lower case and its arguments.

    Attributes:
        names: by a name of the function in lower case, the name that is shown for it.
        defaults: what is shown for arguments that are left out; None for an argument that never is.
        collates_defaults: whether a text that is left out is shown with the collation of the first argument.
        shown_arguments: how many of the arguments are shown, None for all.
        around: what stands before the first argument and after it, if the call is shown as an operator.
        as_written: whether constants are shown as they are written, because Spark replaces the call.
        result: the type of every result, if it affects how a call around is shown.
        counts_rows: whether the frame that is shown without one in the query ends with the current row.
    """

    names: Mapping[str, str] = {}
    defaults: tuple[str | None, ...] = ()
    collates_defaults: bool = False
    shown_arguments: int | None = None
    around: tuple[str, str] | None = None
    as_written: bool = False
    result: LogicalType | None = None
    counts_rows: bool = False


Construct = Callable[..., ResolvedExpression]
"""Constructs a call of a function on arguments, and on clauses if it has some, as ``ir.calls.call`` does."""

Canonical = Callable[[tuple[ResolvedExpression, ...], Construct], ResolvedExpression | None]
"""Given the arguments of a call and what constructs others, returns the expression that it really is, or None."""

Expansion = Callable[[tuple[ResolvedExpression, ...], ResolvedExpression | None, Usage], ResolvedExpression]


class SparkForm(NamedTuple):
    """What a call of a function is on Spark, which lacks it: an expression that has each argument once.

    Attributes:
        make: given the arguments, returns it; its outermost call is not yet in canonical form (``calls.as_written``).
        usual: types of arguments, by which is seen where in it the arguments stand.
        over: of an aggregate, that of Spark's which a call has in its place; ``make`` is given the call of it.
    """

    make: Callable[..., ResolvedExpression]
    usual: tuple[LogicalType, ...]
    over: FunctionDefinition | None = None


@record(eq=False, repr=False)
class Emission:
    """How a call is written in each dialect, and whether the dialect has the function.

    Attributes:
        syntax: the syntax of a call in both dialects.
        flink_name: the name in Flink's SQL, where it is another one.
        flink_syntax: the syntax in Flink's SQL, where it is another one.
        also: further SQL names of the function, which is printed under ``sql_name``.
        in_spark: False if Spark lacks the function, so that a call is lowered.
        spark_form: what a call is lowered to, if the arguments alone determine it; otherwise see ``ir.lowerings``.
        in_flink: False if Flink lacks the function, or has another one of its name, and ``ir.flink`` has no form of it.
            SQL in the dialect FLINK is refused then.
        read_as: the reader of ``grammar`` for calls in a syntax of their own (``ir.dialects.syntax.OwnSyntax``).
        bare_names: the names, in lower case, by which Spark calls the function without parentheses.
        before_columns: whether such a name means the function even where a column has it.
        takes_from: whether FROM may stand between the arguments.
    """

    syntax: CallSyntax = FUNCTION
    flink_name: str | None = None
    flink_syntax: CallSyntax | None = None
    also: tuple[str, ...] = ()
    in_spark: bool = True
    spark_form: SparkForm | None = None
    in_flink: bool = True
    read_as: str | None = None
    bare_names: tuple[str, ...] = ()
    before_columns: bool = False
    takes_from: bool = False


@record(eq=False, repr=False)
class AggregateTraits:
    """Which clauses a call of an aggregate or window function may have, and what it does with the rows.

    Attributes:
        supports_distinct: whether a call may have DISTINCT.
        supports_ignore_nulls: whether a call may have IGNORE NULLS.
        skips_nulls: whether it ignores NULL unless the call has RESPECT NULLS.
        nulls_flag: the position of a constant argument that means IGNORE NULLS if it is TRUE.
        within_group: how a call may order the rows of a group, None if it may not.
        takes_window_order: whether the window of an aggregate may have an order and a frame.
        ordered: whether the window of a window function must have an order.
        takes_frame: whether the window may have a frame.
        own_frame: the frame that the window always has, if it may not have another one.
        of_rows: of a function of the collected rows of a group, the function that is called for each row.
        in_any_order: whether the result is the same in whatever order the rows come.
    """

    supports_distinct: bool = False
    supports_ignore_nulls: bool = False
    skips_nulls: bool = False
    nulls_flag: int | None = None
    within_group: WithinGroup | None = None
    takes_window_order: bool = True
    ordered: bool = False
    takes_frame: bool = True
    own_frame: Frame | None = None
    of_rows: FunctionDefinition | None = None
    in_any_order: bool = False


@record(eq=False, repr=False)
class UserCode:
    """The code of a user-defined function, which this layer does not look into; a built-in has none.

    Attributes:
        identifier: the name of the function, if it has one.
        called: the name that Spark shows in column names, if that is not the name in the call.
        implementation: what runs the function.
        has_query: of a SQL function, says whether its body reads rows, for each row those of its arguments.
        casts_arguments: whether the tree has to cast the arguments, because Spark does not.
        expansion: of a function defined by expressions, makes the expression that replaces a call from its arguments,
            and from its condition and usage if it is an aggregate.
    """

    identifier: FunctionIdentifier | None = None
    called: str | None = None
    implementation: object = None
    has_query: Callable[[], bool] | None = None
    casts_arguments: bool = True
    expansion: Expansion | None = None


@record(eq=False, repr=False)
class Documentation:
    """How users meet the function: in the fluent API and on its reference page.

    Attributes:
        doc: what it does, in one sentence.
        example: a SQL expression and its result.
        difference: how Flink's function of the same name or purpose differs, in a sentence for users of PyFlink.
        fluent: how the fluent API offers the function; special forms are written by hand.
    """

    doc: str = ""
    example: tuple[str, str] | None = None
    difference: str = ""
    fluent: tuple[FluentForm, ...] = ()


NOT_IN_SPARK = Emission(in_spark=False)
"""The emission of a user-defined function."""
# Shared by all functions that say nothing of their own.
_EMISSION, _AGGREGATION, _USER_CODE, _DOCUMENTATION = Emission(), AggregateTraits(), UserCode(), Documentation()
_MISMATCH, _COLLATING, _SHOWN = Mismatch(), Collating(unites=False), Shown()


@attrs.frozen(eq=False, repr=False, slots=True, weakref_slot=True)
class FunctionDefinition:
    """A function: its names, its kind and its types, and a facet for each of its other sides.

    Attributes:
        name: Flink's name of the definition (``upper``), shown in summaries.
        kind: what the function makes from its input.
        inference: the types of its arguments and of its result.
        sql_name: the name in SQL.
        is_deterministic: whether equal arguments always give equal results.
        monotonicity: of the first arguments, whether the value never falls or never rises as each of them grows, None
            where it may do both. Left aside are NULL, NaN, times with a local time zone, whose clocks go back, and
            months that are added to a time of day, where the day may have to be an earlier one.
        canonical: chooses the canonical form of a call.
        kept: given a call of other arguments than those of which its type was inferred, returns what keeps that type,
            where it follows from what the arguments are called.
        runs_code: whether a call runs code that its arguments name, so that a stored one runs it for whoever queries.
        holds: what a call has of ``ir.contents`` besides what its kind and determinism say.
        casts_to: the type to which the function casts its argument, if its name is that of a type.
        mismatch: how Spark reports arguments of wrong types.
        collating: how the function treats the collations of its arguments.
        folding: computes the value of a call from constant arguments.
        can_fail: whether the function raises an error for some values of its arguments, or for which calls it does.
            Overflow does not count, since any sum may be too large.
        guards: whether an argument is evaluated for some rows only, or the call is NULL if that fails.
        reads_time_zone: whether the value depends on the time zone of the session although neither an argument nor
            the result is an instant.
        shown: how Spark shows a call.
        emission: how a call is written.
        aggregation: the traits of an aggregate or window function.
        user_code: the code of a user-defined function.
        process: of a process table function, what it declares.
        documentation: what users read about it.
    """

    name: str
    kind: FunctionKind
    inference: TypeInference
    sql_name: str
    is_deterministic: bool = True
    monotonicity: tuple[Monotonicity | None, ...] = ()
    canonical: Canonical | None = None
    kept: Callable[[Any], ResolvedExpression] | None = None
    runs_code: bool = False
    holds: int = NOTHING
    casts_to: LogicalType | None = None
    mismatch: Mismatch = _MISMATCH
    collating: Collating = _COLLATING
    folding: Folding | None = None
    can_fail: bool | Callable[[Call], bool] = False
    guards: bool = False
    reads_time_zone: bool = False
    shown: Shown = _SHOWN
    emission: Emission = _EMISSION
    aggregation: AggregateTraits = _AGGREGATION
    user_code: UserCode = _USER_CODE
    process: ProcessSignature | None = None
    documentation: Documentation = _DOCUMENTATION
    contents: int = attrs.field(init=False)
    is_built_in: bool = attrs.field(init=False)
    """Whether the function is one of this library, and not one that people wrote."""

    @contents.default
    def _contents(self) -> int:
        own = self.holds
        if self.kind is FunctionKind.AGGREGATE:
            own |= AGGREGATE
        if self.runs_code:
            own |= CODE
        return own if self.is_deterministic else own | CHANGING

    @is_built_in.default
    def _is_built_in(self) -> bool:
        return self.user_code.identifier is None and self.user_code.implementation is None

    @property
    def sql_names(self) -> tuple[str, ...]:
        """All names in SQL, the printed one first."""
        further = self.emission
        return tuple(name for name in (self.sql_name, further.flink_name, *further.also) if name is not None)

    @property
    def is_sql_of_spark(self) -> bool:
        """Whether it is a function of SQL that Spark has stored, and that it calls in a few places only."""
        return self.user_code.called is not None

    @property
    def is_code(self) -> bool:
        """Whether it is a function of values in Python, which Spark calls for whole rows only."""
        # Of one in SQL it is known whether its body holds a query.
        code = self.user_code
        return self.kind is FunctionKind.SCALAR and code.implementation is not None and code.has_query is None

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_built_in:
            # A built-in definition is a singleton of its module: pickled by name, so that identity survives.
            return _built_in, (self.name,)
        return _user_defined, (
            _key_of(self),
            {a.name: getattr(self, a.name) for a in attrs.fields(type(self)) if a.init},
        )

    def __repr__(self) -> str:
        return f"<{self.kind.value} function {self.name}>"


def _built_in(name: str) -> FunctionDefinition:
    from ir.functions.builtins import BUILT_INS

    return BUILT_INS.by_name(name)


# A function that people wrote is one object in a process, whichever way it came there: equal trees stay one tree.
_pickled: WeakValueDictionary[str, FunctionDefinition] = WeakValueDictionary()
_keys: WeakKeyDictionary[FunctionDefinition, str] = WeakKeyDictionary()


def _key_of(definition: FunctionDefinition) -> str:
    import uuid

    key = _keys.setdefault(definition, uuid.uuid4().hex)
    _pickled[key] = definition
    return key


def _user_defined(key: str, state: dict[str, Any]) -> FunctionDefinition:
    found = _pickled.get(key)
    if found is None:
        found = _pickled[key] = FunctionDefinition(**state)
        _keys[found] = key
    return found
