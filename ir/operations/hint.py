"""Operations that steer how Spark runs a query, or on which rows: hints and samples."""

from __future__ import annotations

from decimal import Decimal

from ir import light_attrs as attrs
from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import FieldReference
from ir.light_typing import ClassVar, Literal, get_args
from ir.messages import Term, message
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, StreamLimit, only_input
from ir.schema import ResolvedSchema

# Spark's hints for the strategy of a join and for the partitioning of rows. Those for the state of streams are read by
# this library; Spark ignores hints that it does not know, so that they can stay in the text of a view.
JoinHint = Literal["BROADCAST", "MERGE", "SHUFFLE_HASH", "SHUFFLE_REPLICATE_NL"]
PartitioningHint = Literal["COALESCE", "REPARTITION", "REPARTITION_BY_RANGE", "REBALANCE"]
StateHint = Literal["UNBOUNDED_STATE"]
JOIN_HINTS: tuple[str, ...] = get_args(JoinHint)
PARTITIONING_HINTS: tuple[str, ...] = get_args(PartitioningHint)
STATE_HINTS: tuple[str, ...] = get_args(StateHint)
UNBOUNDED_STATE = "UNBOUNDED_STATE"
"""The hint that lets the state of joins of streams below it grow for ever (``ir.streaming``)."""
# The lower-case names for type checkers; at run time, any case is accepted.
_LowerJoinHint = Literal["broadcast", "merge", "shuffle_hash", "shuffle_replicate_nl"]
_LowerPartitioningHint = Literal["coalesce", "repartition", "repartition_by_range", "rebalance"]
_LowerStateHint = Literal["unbounded_state"]
HintName = JoinHint | PartitioningHint | StateHint | _LowerJoinHint | _LowerPartitioningHint | _LowerStateHint
_SYNONYMS = {
    "BROADCASTJOIN": "BROADCAST",
    "MAPJOIN": "BROADCAST",
    "SHUFFLE_MERGE": "MERGE",
    "MERGEJOIN": "MERGE",
}


def is_hint(name: str) -> bool:
    """Whether a hint of this name exists; Spark ignores unknown hints."""
    return _SYNONYMS.get(name.upper(), name.upper()) in JOIN_HINTS + PARTITIONING_HINTS + STATE_HINTS


def hint_name(name: str) -> str:
    """Return the canonical name of a hint, given in any case or as a synonym.

    Raises:
        ValidationException: there is no such hint.
    """
    upper = _SYNONYMS.get(name.upper(), name.upper())
    known = JOIN_HINTS + PARTITIONING_HINTS + STATE_HINTS
    if upper not in known:
        raise ValidationException(
            f"There is no hint {name!r}; there are [{listing(known)}]." + did_you_mean(upper, known)
        )
    return upper


def _check_parameters(instance: Hint, attribute: object, columns: tuple[FieldReference, ...]) -> None:
    name, partitions = instance.name, instance.partitions
    if name in JOIN_HINTS + STATE_HINTS and (columns or partitions is not None):
        raise ValidationException(f"The hint {name} takes neither a number of partitions nor columns.")
    if name == "COALESCE" and (columns or partitions is None):
        raise ValidationException("The hint COALESCE takes a number of partitions, and no columns.")
    if partitions is not None and not 0 < partitions < 2**31:
        raise ValidationException(f"A number of partitions is from 1 to {2**31 - 1}, but {partitions} was given.")


@node
class Hint(QueryOperation):
    """The rows of ``input``, with advice to Spark that does not change the result."""

    input: QueryOperation
    name: str
    partitions: int | None = None
    columns: tuple[FieldReference, ...] = attrs.field(default=(), validator=_check_parameters)
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self.input.schema)

    title: ClassVar[str] = "Hint"
    noun: ClassVar[str] = "hint"
    adjective: ClassVar[str] = "hinted"
    keeps_columns: ClassVar[bool] = True

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of the hint for messages: the number of partitions, and column names."""
        number = () if self.partitions is None else (str(self.partitions),)
        return number + tuple([column.name for column in self.columns])

    def describe(self) -> str:
        parameters = f"({', '.join(self.parameters)})" if self.parameters else ""
        return f"(hint: [{self.name}{parameters}])"


def _check_percent(instance: Sample, attribute: object, percent: Decimal) -> None:
    if not 0 <= percent <= 100:
        raise ValidationException(
            message(
                "{sample} takes a {range}, but {given} was given.",
                sample=Term("sample", "TABLESAMPLE"),
                range=Term("fraction from 0 to 1", "percentage from 0 to 100"),
                given=Term(str(percent / 100), str(percent)),
            ),
            condition="INVALID_TABLESAMPLE_FRACTION",
        )


def _strip_exponent(percent: Decimal) -> Decimal:
    """Return the number in its written form, without an exponent and trailing zeros."""
    return Decimal(f"{percent.normalize():f}")


@node
class Sample(QueryOperation):
    """A random sample of ``input`` with the probability ``percent`` for each row; a ``seed`` makes it repeatable."""

    input: QueryOperation
    percent: Decimal = attrs.field(converter=_strip_exponent, validator=_check_percent)
    seed: int | None = None
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self.input.schema)

    title: ClassVar[str] = "Sample"
    noun: ClassVar[str] = "sample"
    adjective: ClassVar[str] = "sampled"
    sql_clause: ClassVar[str] = "TABLESAMPLE"
    stream_limit: ClassVar[StreamLimit | None] = StreamLimit(
        "Spark takes no samples of a stream.", "Filter by a key instead: ABS(HASH(id)) % 100 < 5."
    )
    keeps_columns: ClassVar[bool] = True

    @property
    def hides_outer_query(self) -> bool:
        return True

    def _identity(self) -> tuple[object, ...]:
        return (self.input, str(self.percent), self.seed)

    def describe(self) -> str:
        seed = "" if self.seed is None else f", seed: [{self.seed}]"
        return f"(percent: [{self.percent}]{seed})"
