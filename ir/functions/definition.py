"""Function definitions as data for resolution, typing, SQL, documentation and tests (FLIP-51)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache

from ir import light_attrs as attrs
from ir.contents import AGGREGATE, CHANGING, CODE, NOTHING
from ir.dialects.syntax import FUNCTION, CallSyntax
from ir.expressions import ResolvedExpression
from ir.identifiers import FunctionIdentifier
from ir.inference.type_inference import ArgumentTypeStrategy, TypeInference
from ir.inference.usage import Usage
from ir.light_tuples import NamedTuple
from ir.light_typing import TYPE_CHECKING, Any
from ir.records import record
from ir.types import LogicalType

if TYPE_CHECKING:
    from ir.frames import Frame
    from ir.functions.process import ProcessSignature
    from ir.inference.call_context import CallContext

    FindFunction = Callable[[tuple[str, ...]], "FunctionDefinition"]
    """Returns the user-defined function of a path, given by its parts."""


class FunctionKind(Enum):
    """What a function computes from its input."""

    SCALAR = "scalar"
    ASYNC_SCALAR = "async scalar"
    TABLE = "table"
    AGGREGATE = "aggregate"
    WINDOW = "window"
    TABLE_AGGREGATE = "table aggregate"
    PROCESS_TABLE = "process table"
    OTHER = "other"


class Monotonicity(Enum):
    """How the value of a function changes as one argument grows and the others stay constant."""

    INCREASING = "increasing"
    DECREASING = "decreasing"


class Fluent(Enum):
    """How a function appears in the fluent API."""

    PROPERTY = "property"
    METHOD = "method"
    FUNCTION = "function"


class FluentForm(NamedTuple):
    """The name and the parameters of a function in the fluent API.

    The first argument of a method is the expression on which it is called; ``parameters`` omits it. A parameter that
    ends in ``?`` is optional; one that begins with ``*`` takes any number of arguments. A parameter in ``choices``
    accepts only these strings, in any case; type checkers report any other string.
    """

    kind: Fluent
    name: str
    parameters: tuple[str, ...] = ()
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()


class WithinGroup(NamedTuple):
    """The WITHIN GROUP clause of an aggregate: ``least`` to ``most`` sort keys, which ``key`` accepts.

    Attributes:
        instead_of_arguments: whether a call has either arguments or sort keys, but not both.
        nulls_matter: whether the position of NULL in the order affects the result.
        with_distinct: whether a call may also have DISTINCT; its sort key is then the argument itself.
        beside_window_order: whether the OVER window of a call may also have an order.
    """

    key: ArgumentTypeStrategy
    least: int = 1
    most: int | None = 1
    instead_of_arguments: bool = False
    nulls_matter: bool = False
    with_distinct: bool = False
    beside_window_order: bool = False

    def least_beside(self, arguments: int) -> int:
        """Return the minimum number of sort keys beside a number of arguments."""
        return (0 if arguments else 1) if self.instead_of_arguments else self.least

    def most_beside(self, arguments: int) -> int | None:
        """Return the maximum number of sort keys beside a number of arguments, None for any number."""
        return 0 if arguments and self.instead_of_arguments else self.most


class Folding(NamedTuple):
    """How the value of a call is computed from constant arguments.

    Attributes:
        compute: computes the value from the values of the arguments.
        takes_null: whether ``compute`` accepts NULL; otherwise a NULL argument makes the call NULL.
        takes_call: whether ``compute`` takes the call as its first argument, before the values.
    """

    compute: Callable[..., Any]
    takes_null: bool = False
    takes_call: bool = False


class Mismatch(NamedTuple):
    """Spark's conditions below DATATYPE_MISMATCH for arguments of wrong types, if they differ from the usual ones.

    Attributes:
        alone: the condition for an argument that is wrong regardless of the others.
        first: the same for the first argument.
        together: the condition for arguments that are only wrong in combination.
        of_argument: returns the condition for the wrong argument at a position of the call, or None.
        before_order: whether Spark reports the mismatch before it checks whether the arguments are orderable.
    """

    alone: str = ""
    first: str = ""
    together: str = ""
    of_argument: Callable[[CallContext, int], str | None] | None = None
    before_order: bool = False


class CollationOf:
    """Rules for the collation of a result that does not follow from all arguments."""

    EXPLICIT = "explicit"
    CAST = "cast"
    COLUMN = "column"
    FIELD = "field"
    ELEMENT = "element"
    FIELDS = "fields"
    ENTRIES = "entries"


class CollationRules(NamedTuple):
    """Which arguments of a call are cast to a common collation, and which collation the result has.

    Attributes:
        unites: whether the string arguments get a common collation.
        are_texts: whether a collated string counts as a string argument even if it is read as a number.
        first: the position of the first argument that gets the common collation.
        groups: the number of interleaved groups, each with its own collation, such as the keys and values of MAP.
        of_bounds: whether the first argument is compared with each of two others separately.
        expected: if the call has fewer arguments, an omitted string counts with the default collation.
        is_indifferent: whether conflicting collations are valid, because the strings are compared by their characters.
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
    """How Spark shows a call in a generated column name, if not as its name in lower case and its arguments.

    Attributes:
        names: the shown name by the function's name in lower case.
        defaults: the text that is shown for each omitted argument; None for a required argument.
        collates_defaults: whether an omitted string is shown with the collation of the first argument.
        shown_arguments: the number of arguments that are shown, None for all.
        around: the text before and after the first argument, if the call is shown as an operator.
        as_written: whether literals are shown as written, because Spark replaces the call.
        result: the type of every result, if it affects how an enclosing call is shown.
        counts_rows: whether the default frame that is shown ends with the current row.
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
"""Constructs a call from a function, its arguments and optional clauses, as ``ir.calls.call`` does."""

Canonical = Callable[[tuple[ResolvedExpression, ...], Construct], ResolvedExpression | None]
"""Maps the arguments of a call to its canonical expression, or to None if the call is already canonical."""

Expansion = Callable[[tuple[ResolvedExpression, ...], ResolvedExpression | None, Usage], ResolvedExpression]


class SparkForm(NamedTuple):
    """The Spark equivalent of a function that Spark lacks: an expression that contains each argument once.

    Attributes:
        make: builds the equivalent, a call, from the arguments, by ``ir.calls.construct``. A call whose canonical form
            must not replace it is built by ``ir.calls.build_without_recognition``.
        usual: sample types of the arguments; building the equivalent with them shows where each argument goes.
        over: for an aggregate, the Spark aggregate that replaces it; ``make`` takes the call of that aggregate.
    """

    make: Callable[..., ResolvedExpression]
    usual: tuple[LogicalType, ...]
    over: FunctionDefinition | None = None


@record(eq=False, repr=False)
class Emission(attrs.Slotted):
    """How each dialect writes a call, and whether the dialect has the function.

    Attributes:
        syntax: the syntax of a call in both dialects.
        flink_name: the name in Flink's SQL, if it differs.
        flink_syntax: the syntax in Flink's SQL, if it differs.
        also: further SQL names; SQL is written with ``sql_name``.
        in_spark: whether Spark has the function; otherwise a call is lowered.
        spark_form: the lowered form of a call, if the arguments alone determine it; otherwise see ``ir.lowerings``.
        in_flink: whether the function can be written in the dialect FLINK. False if Flink lacks it or has another
            function of its name, and ``ir.flink`` has no form of it.
        read_as: the reader in ``grammar`` for calls with a special syntax (``ir.dialects.syntax.OwnSyntax``).
        bare_names: the names, in lower case, by which Spark calls the function without parentheses.
        before_columns: whether such a name means the function even if a column has the same name.
        takes_from: whether FROM may separate the arguments.
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
class AggregateTraits(attrs.Slotted):
    """The clauses that an aggregate or window function supports, and how it treats rows.

    Attributes:
        supports_distinct: whether a call may have DISTINCT.
        supports_ignore_nulls: whether a call may have IGNORE NULLS.
        skips_nulls: whether the function ignores NULL unless the call has RESPECT NULLS.
        nulls_flag: the position of a constant argument that means IGNORE NULLS if it is TRUE.
        within_group: the WITHIN GROUP clause, None if unsupported.
        takes_window_order: whether the OVER window of an aggregate may have an order and a frame.
        ordered: whether the OVER window of a window function must have an order.
        takes_frame: whether the window may have a frame.
        own_frame: the fixed frame of the window, if no other frame is valid.
        of_rows: for a function of the collected rows of a group, the aggregate that the query calls for each row.
        of_keys: whether the arguments are group keys rather than columns of the rows.
        in_any_order: whether the result is independent of the row order.
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
    of_keys: bool = False
    in_any_order: bool = False


@record(eq=False, repr=False)
class UserCode(attrs.Slotted):
    """The code of a user-defined function, which this layer treats as opaque.

    Attributes:
        identifier: the name of the function, if it has one.
        called: the name that Spark shows in column names, if it differs from the name in the call.
        implementation: the object that runs the function, None for a built-in.
        has_query: for a SQL function, returns whether its body contains a query.
        casts_arguments: whether the tree must cast the arguments explicitly, because Spark does not.
        expansion: for a function defined by expressions, builds the expression that replaces a call, from the
            arguments, the FILTER condition and the usage of the call.
    """

    identifier: FunctionIdentifier | None = None
    called: str | None = None
    implementation: object = None
    has_query: Callable[[], bool] | None = None
    casts_arguments: bool = True
    expansion: Expansion | None = None


@record(eq=False, repr=False)
class Documentation(attrs.Slotted):
    """The function's fluent API and reference page.

    Attributes:
        doc: the description in one sentence.
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
# Shared by all definitions without facts of their own.
_EMISSION, _AGGREGATION, _USER_CODE, _DOCUMENTATION = Emission(), AggregateTraits(), UserCode(), Documentation()
_MISMATCH, _COLLATING, _SHOWN = Mismatch(), CollationRules(unites=False), Shown()


def _find_contents(definition: FunctionDefinition) -> int:
    own = definition.holds
    if definition.kind is FunctionKind.AGGREGATE:
        own |= AGGREGATE
    if definition.runs_code:
        own |= CODE
    return own if definition.is_deterministic else own | CHANGING


def _is_built_in(definition: FunctionDefinition) -> bool:
    return definition.user_code.identifier is None and definition.user_code.implementation is None


@attrs.frozen(eq=False, repr=False)
class FunctionDefinition(attrs.Slotted):
    """A function: its names, its kind, its types, and one facet per further aspect.

    Attributes:
        name: Flink's name of the function (``upper``), shown in summaries.
        kind: what the function computes from its input.
        inference: the types of its arguments and of its result.
        sql_name: the name in SQL.
        is_deterministic: whether equal arguments always give equal results.
        monotonicity: for each of the first arguments, whether the value never falls or never rises as the argument
            grows; None if it may do both. It disregards NULL, NaN, instants (local clocks can go back), and months
            added to a time of day (the result can be an earlier day).
        canonical: returns the canonical form of a call.
        kept: preserves the type of a call whose arguments a rewrite replaced, for a function whose type depends on the
            names of its arguments.
        runs_code: whether a call runs code that its arguments name; a stored view then runs it for every reader.
        is_chain: whether a call whose argument is a call of the same function is one call of all operands: AND, OR.
        holds: the flags of ``ir.contents`` for a call, besides those that follow from its kind and determinism.
        casts_to: the type to which the function casts its argument, if its name is that of a type.
        mismatch: how Spark reports arguments of wrong types.
        collating: how the function treats the collations of its arguments.
        folding: computes the value of a call from constant arguments.
        can_fail: whether a call can raise an error for some values, or a function of the arguments that decides this.
            Overflow does not count, because any sum can overflow.
        guards: whether an argument is evaluated for some rows only, or a failing argument makes the call NULL.
        reads_time_zone: whether the value depends on the time zone of the session although neither an argument nor
            the result is an instant.
        shown: how Spark shows a call in a generated column name.
        emission: how a call is written in SQL.
        aggregation: the traits of an aggregate or window function.
        user_code: the code of a user-defined function.
        process: the declaration of a process table function.
        documentation: the texts for users.
        restore: returns the built-in function of a name. A built-in is a singleton of its module, so it is pickled by
            name.
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
    is_chain: bool = False
    holds: int = NOTHING
    casts_to: LogicalType | None = None
    mismatch: Mismatch = _MISMATCH
    collating: CollationRules = _COLLATING
    folding: Folding | None = None
    can_fail: bool | Callable[[Sequence[ResolvedExpression]], bool] = False
    guards: bool = False
    reads_time_zone: bool = False
    shown: Shown = _SHOWN
    emission: Emission = _EMISSION
    aggregation: AggregateTraits = _AGGREGATION
    user_code: UserCode = _USER_CODE
    process: ProcessSignature | None = None
    documentation: Documentation = _DOCUMENTATION
    restore: Callable[[str], FunctionDefinition] | None = None
    contents: int = attrs.field(default=attrs.Factory(_find_contents, takes_self=True), init=False)
    is_built_in: bool = attrs.field(default=attrs.Factory(_is_built_in, takes_self=True), init=False)
    """Whether the function is built in, as opposed to user-defined."""

    @property
    def sql_names(self) -> tuple[str, ...]:
        """All names in SQL; the first one is used to write SQL."""
        further = self.emission
        return tuple(name for name in (self.sql_name, further.flink_name, *further.also) if name is not None)

    @property
    def is_sql_of_spark(self) -> bool:
        """Whether it is a stored SQL function of Spark, which Spark accepts in a few places only."""
        return self.user_code.called is not None

    @property
    def is_code(self) -> bool:
        """Whether it is a scalar Python function, which Spark evaluates for whole rows only."""
        # ``has_query`` is set for SQL functions only.
        code = self.user_code
        return self.kind is FunctionKind.SCALAR and code.implementation is not None and code.has_query is None

    def __reduce__(self) -> tuple[Any, ...]:
        if self.restore is not None:
            return self.restore, (self.name,)
        from ir.functions.pickled import key_of

        return _user_defined, (
            key_of(self),
            {a.name: getattr(self, a.name) for a in attrs.fields(type(self)) if a.init},
        )

    def __repr__(self) -> str:
        return f"<{self.kind.value} function {self.name}>"


@cache
def takes_lambdas(function: FunctionDefinition) -> bool:
    """Whether a function, or its lowering for Spark, takes lambdas."""
    inputs = function.inference.inputs
    for position in range(_MOST_ARGUMENTS):
        if getattr(inputs.strategy_for(position), "takes_lambda", False):
            return True
    return function.name in ("ARRAY_SLICE", "MAP_UNION")


# Of a function that takes lambdas.
_MOST_ARGUMENTS = 4


def _user_defined(key: str, state: dict[str, Any]) -> FunctionDefinition:
    from ir.functions.pickled import find_or_make

    return find_or_make(key, lambda: FunctionDefinition(**state))
