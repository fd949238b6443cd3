"""Descriptions of built-in functions, for ``describe_function``, DESCRIBE FUNCTION and the reference page."""

from __future__ import annotations

from attrs import field, frozen

from grammar.reading import Surroundings, parse_query
from ir.errors import TableException, ValidationException
from ir.functions.definition import Fluent, FunctionDefinition, FunctionKind, Monotonicity
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.rendering import Dialect

_FLUENT = {Fluent.PROPERTY: 'col("a").{}', Fluent.METHOD: 'col("a").{}({})', Fluent.FUNCTION: "{}({})"}


@frozen
class FunctionDescription:
    """The description of a built-in function; ``str`` returns it as text.

    Attributes:
        name: the name in generated SQL; ``other_names`` are its aliases.
        kind: ``scalar``, ``aggregate``, ``window`` or ``table``.
        signatures: the accepted arguments, one line per form.
        fluent: the forms in the fluent API; a function without one is called by ``call("name", …)``.
        description: a one-sentence description.
        example: an SQL expression; ``result`` is its value.
        spark_sql: the example in Spark's SQL, ``flink_sql`` in Flink's; ``not_in_flink`` is the reason if there is
            none.
        is_deterministic: whether equal arguments give equal values.
        monotonicity: the arguments in which the function is monotonic, ``rises with date, falls with days``.
        meaning: the engine that defines its semantics, ``Spark`` or ``Flink``.
        difference: the difference to Flink's function of the same name or purpose, empty if there is none.
    """

    name: str
    other_names: tuple[str, ...]
    kind: str
    signatures: tuple[str, ...]
    fluent: tuple[str, ...]
    description: str
    example: str
    result: str
    spark_sql: str
    flink_sql: str | None
    not_in_flink: str
    is_deterministic: bool
    monotonicity: str
    meaning: str
    difference: str
    _lines: tuple[str, ...] = field(init=False, repr=False)

    @_lines.default
    def _text(self) -> tuple[str, ...]:
        lines = [self.description, "", "SQL:", *[f"    {signature}" for signature in self.signatures]]
        if self.other_names:
            lines.append(f"Also: {', '.join(self.other_names)}")
        if self.fluent:
            lines.append(f"Fluent: {', '.join(self.fluent)}")
        if self.example:
            lines += ["", f"Example: {self.example} is {self.result}"]
            lines.append(f"    Spark: {_indent(self.spark_sql)}")
            lines.append(f"    Flink: {_indent(self.flink_sql or f'none, since {self.not_in_flink}')}")
        lines += ["", "Deterministic" if self.is_deterministic else "Not deterministic: each call has its own value"]
        lines += [f"Monotonic: {self.monotonicity}"] if self.monotonicity else []
        lines.append(f"Meaning: {self.meaning}'s" + (f". {self.difference}" if self.difference else ""))
        return tuple(lines)

    def __str__(self) -> str:
        return "\n".join([self.name, *self._lines])

    @property
    def text(self) -> str:
        """The description without the name."""
        return "\n".join(self._lines)


def describe(definition: FunctionDefinition) -> FunctionDescription:
    """Return the description of a built-in function."""
    spark, flink, reason = _example_in_sql(definition)
    example, result = definition.documentation.example or ("", "")
    return FunctionDescription(
        definition.sql_name,
        tuple(name for name in definition.sql_names if name != definition.sql_name),
        definition.kind.value,
        tuple(dict.fromkeys(definition.inference.inputs.signatures(definition.sql_name))),
        fluent_forms(definition),
        definition.documentation.doc,
        example,
        result,
        spark,
        flink,
        reason,
        definition.is_deterministic,
        _monotonicity(definition),
        "Spark" if definition.emission.in_spark else "Flink",
        definition.documentation.difference,
    )


def _monotonicity(definition: FunctionDefinition) -> str:
    names = getattr(definition.inference.inputs, "names", ())
    said = []
    for position, monotonicity in enumerate(definition.monotonicity):
        if monotonicity is not None:
            argument = names[position] if position < len(names) else f"argument {position + 1}"
            said.append(f"{'rises' if monotonicity is Monotonicity.INCREASING else 'falls'} with {argument}")
    return ", ".join(said)


def fluent_forms(definition: FunctionDefinition) -> tuple[str, ...]:
    """Return the forms of a function in the fluent API, as Python code."""
    forms = definition.documentation.fluent
    return tuple(_FLUENT[form.kind].format(form.name, ", ".join(form.parameters)) for form in forms)


def _example_in_sql(definition: FunctionDefinition) -> tuple[str, str | None, str]:
    """Return the example in Spark's and Flink's SQL, and the reason if Flink has none."""
    if definition.documentation.example is None:
        return "", None, "there is no example"
    start = "SELECT * FROM" if definition.kind is FunctionKind.TABLE else "SELECT"
    operation = parse_query(f"{start} {definition.documentation.example[0]}", Surroundings(time_zone="UTC"))
    spark = _text(operation, Dialect.SPARK)
    try:
        return spark, _text(operation, Dialect.FLINK), ""
    except (TableException, ValidationException) as refusal:
        _, _, reason = str(refusal).partition("means the same: ")
        return spark, None, reason.partition(". Serialise it")[0] or str(refusal)


def _text(operation: QueryOperation, dialect: Dialect) -> str:
    """Return the SQL of a query's only expression if it reads no table, otherwise of the whole query."""
    if isinstance(operation, Project) and not operation.input.schema.columns and len(operation.projections) == 1:
        return operation.projections[0].as_serializable_string(dialect)
    return operation.as_serializable_string(dialect)


def _indent(text: str) -> str:
    return text.replace("\n", "\n           ")
