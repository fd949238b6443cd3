"""Builds PIVOT and UNPIVOT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.column_names.display_values import constant_text
from grammar.builder.error_origins import ErrorOrigins
from grammar.builder.query_parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Column, Relation, Scope, display_path, exclude_keys
from grammar.errors import Misread
from ir.call_expressions import Call
from ir.expressions import Expression, FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.collection import ROW
from ir.identifiers import fold
from ir.inference.usage import usage_of_cells
from ir.names import make_distinct
from ir.operations.outer_references import find_used_columns
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as ResolverScope
from ir.resolution.operations import field as field_of
from ir.types import DateType, IntegralType, RowType
from ir.unresolved import UnresolvedAlias


class Pivots(QueryParts):
    """Builds PIVOT and UNPIVOT."""

    def build_extension(self, relation: Relation, node: Any, parent: Scope | None, tables: Tables) -> Steps:
        """Apply PIVOT or UNPIVOT to a relation."""
        if isinstance(node, s.Unpivot):
            made = self._build_unpivot(relation, node)
        else:
            made = yield self._build_pivot(relation, node, parent, tables)
        return made if node.alias is None else self.apply_alias(made, node.alias)

    def _build_pivot(self, relation: Relation, node: s.Pivot, parent: Scope | None, tables: Tables) -> Steps:
        from ir.resolution.grouping import Grouping
        from ir.resolution.pivoting import pivot_groups

        names = ClauseNames(Scope(relation.columns, parent))
        pivots = [self._column(relation, s.Path(name.position, [name])) for name in node.columns]
        made_of: list[Expression] = []
        names_of: list[str] = []
        for written in node.aggregates:
            inner = written.expression if isinstance(written, s.Aliased) else written
            made = yield self.expression(inner, names, tables)
            # With several aggregates, the column names include an alias or Spark's generated name of each.
            name = written.names[0].text if isinstance(written, s.Aliased) else self.output_names.of(inner, names)
            made_of.append(made)
            names_of.append(name)
        # Several aggregates may be called the same.
        called = make_distinct(names_of, ())
        aggregates = [UnresolvedAlias(made, name) for made, name in zip(made_of, called, strict=True)]
        # The keys are known only after the aggregates are resolved; any keys will do, because types do not matter
        # here.
        usage = usage_of_cells(True)
        resolver = ExpressionResolver(ResolverScope((relation.operation.schema,)), self.lookup, usage=usage)
        labels: list[str] = []
        constants_of: list[list[Any]] = []
        for written in node.values:
            label, constants = yield self._pivot_value(written, pivots, tables)
            labels.append(label)
            constants_of.append(constants)
        # Columns of several values may be called the same.
        values = dict(zip(make_distinct(labels, ()), constants_of, strict=True))
        schema = relation.operation.schema
        used = {c.index for expression in made_of for c in find_used_columns(resolver.resolve(expression), schema)}
        used |= {column.index for column in pivots}
        in_cells = [column for column in relation.columns if column.field.index in used]
        kept = exclude_keys([column for column in relation.columns if not column.hidden], in_cells)
        # A kept column may have the name of a column that PIVOT makes.
        unique = make_distinct([column.name for column in kept], _cell_names(list(values), called))
        keys = [
            c.field if c.field.name == n else UnresolvedAlias(c.field, n) for c, n in zip(kept, unique, strict=True)
        ]
        made = self.call_resolver(
            node.position,
            pivot_groups,
            relation.operation,
            Grouping(tuple(keys)),
            pivots,
            values,
            aggregates,
            self.lookup,
            near=ErrorOrigins({"PIVOT": node.aggregates}, aggregates, names.scope, relation.operation, self.places),
        )
        return Relation.of(made, [*[column.name for column in kept], *_cell_names(labels, names_of)])

    def _pivot_value(self, written: Any, pivots: Sequence[FieldReference], tables: Tables) -> Steps:
        """Return the label of the columns of a value of PIVOT, and its constants, one for each pivot column."""
        from grammar.builder.constants import constant_as
        from ir.resolution.pivoting import pivot_value

        inner = written.expression if isinstance(written, s.Aliased) else written
        parts = inner.items if isinstance(inner, s.Row) and len(pivots) > 1 else [inner]
        if len(parts) != len(pivots):
            columns = f"{len(pivots)} column{'' if len(pivots) == 1 else 's'}"
            count = f"{len(parts)} part{'' if len(parts) == 1 else 's'}"
            message = f"PIVOT is over {columns}, but this value has {count}."
            raise Misread(inner.position, message, "PIVOT_VALUE_DATA_TYPE_MISMATCH")
        constants, texts = [], []
        for pivot, part in zip(pivots, parts, strict=True):
            if isinstance(part, s.Path) and self.expressions.variable(part) is None:
                raise Misread(part.position, "The values of PIVOT are constants.", "NON_LITERAL_PIVOT_VALUES")
            made = yield self.expression(part, ClauseNames(Scope([])), tables)
            value = constant_as(self, made, part.position, pivot.data_type)
            if value is None:
                raise Misread(part.position, "The values of PIVOT are constants.", "NON_LITERAL_PIVOT_VALUES")
            if isinstance(value[0], tuple) and not isinstance(pivot.data_type, RowType):
                message = f"PIVOT is over 1 column, but this value has {len(value[0])} parts."
                raise Misread(part.position, message, "PIVOT_VALUE_DATA_TYPE_MISMATCH")
            held = self.call_resolver(part.position, pivot_value, value[0], pivot.data_type)
            constants.append(value[0])
            is_named = isinstance(part, s.Path) or not _is_shown(held) or value[1]
            texts.append(self.output_names.of(part) if is_named else _display_value(held))
        if isinstance(written, s.Aliased):
            return written.names[0].text, constants
        return texts[0] if len(texts) == 1 else "{" + ", ".join(texts) + "}", constants

    def _build_unpivot(self, relation: Relation, node: s.Unpivot) -> Relation:
        from ir.resolution.pivoting import unpivot_columns

        groups: list[tuple[str, list[FieldReference]]] = []
        for group in node.groups:
            columns = [self._column(relation, path) for path in group.columns]
            if len(columns) != len(node.values):
                values = f"{len(node.values)} column{'' if len(node.values) == 1 else 's'} of values"
                message = f"UNPIVOT makes {values}, but this group has {len(columns)}."
                raise Misread(group.position, message, "PARSE_SYNTAX_ERROR")
            label = group.label.text if group.label is not None else "_".join(p.names[-1].text for p in group.columns)
            groups.append((label, columns))
        used = {column.index for _, columns in groups for column in columns}
        in_groups = [column for column in relation.columns if column.field.index in used]
        kept = exclude_keys([column for column in relation.columns if not column.hidden], in_groups)
        # A column that UNPIVOT makes may have the name of a kept column.
        added = [node.label.text, *[value.text for value in node.values]]
        if not node.include_nulls:
            _refuse_ambiguous_values(node, [*[column.name for column in kept], *added])
        # USING (k, k) shows a column twice.
        below = {column.field.index: column.field for column in kept}
        places = {index: place for place, index in enumerate(below)}
        label_column, *value_columns = make_distinct(added, [field.name for field in below.values()])
        made = self.call_resolver(
            node.position,
            lambda: unpivot_columns(
                relation.operation,
                list(below.values()),
                groups,
                label_column,
                value_columns,
                include_nulls=node.include_nulls,
            ),
        )
        fields = [field_of(made, index) for index in range(len(made.schema))]
        own = [column.moved(fields[places[column.field.index]]) for column in kept]
        return Relation(made, [*own, *[Column(n, (), f) for n, f in zip(added, fields[len(places) :], strict=True)]])

    def _column(self, relation: Relation, path: s.Path) -> FieldReference:
        scope = Scope(relation.columns)
        found = scope.own(path)
        if found is None:
            raise scope.unknown(path)
        if not isinstance(found, FieldReference):
            raise Misread(path.position, f"{display_path(path)} is a field of a row; select it under a name first.")
        return found


def _cell_names(labels: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the column names that PIVOT makes: the values, with the aggregate names if there are several."""
    if len(names) == 1:
        return list(labels)
    return [f"{label}_{name}" for label in labels for name in names]


def _refuse_ambiguous_values(node: s.Unpivot, names: Sequence[str]) -> None:
    """Reject a value column of UNPIVOT with the name of another column, because Spark filters its NULLs by name.

    Raises:
        Misread: the name is ambiguous.
    """
    folded = [fold(name) for name in names]
    for value in node.values:
        if folded.count(fold(value.text)) > 1:
            message = f"Ambiguous column name: {value.text}; UNPIVOT gives several columns of that name. Write another "
            raise Misread(value.position, message + "name, or UNPIVOT INCLUDE NULLS.", "AMBIGUOUS_REFERENCE")


def _is_shown(value: ResolvedExpression) -> bool:
    """Whether the column is named after the cast value rather than after the text of the constant."""
    return isinstance(value, Call) or (
        isinstance(value, ValueLiteral) and isinstance(value.data_type, DateType | IntegralType) and not value.is_null
    )


def _display_value(value: ResolvedExpression) -> str:
    """Return a value as Spark casts it to a string."""
    shown: dict[ResolvedExpression, str] = {}
    for part in value.walk():
        if isinstance(part, Call) and part.function is ROW:
            shown[part] = "{" + ", ".join(shown[field] for field in part.arguments[1::2]) + "}"
        elif isinstance(part, Call):
            shown[part] = "[" + ", ".join(shown[element] for element in part.arguments) + "]"
        elif isinstance(part, ValueLiteral):
            shown[part] = "null" if part.is_null else _find_quoted_part(constant_text(part))
    return shown[value]


def _find_quoted_part(text: str) -> str:
    """Return the quoted part of a typed literal such as ``DATE '…'``, and other text unchanged."""
    kind, quote, held = text.partition(" '")
    return held.removesuffix("'") if quote and kind in ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "TIME") else text
