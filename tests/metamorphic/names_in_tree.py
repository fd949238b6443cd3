"""Rename all columns of a tree: each gets its own name, or all at the same position of a schema share one."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence

from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.arrays import ARRAYS_ZIP
from ir.names import make_distinct
from ir.operations.aggregate import Aggregate
from ir.operations.join import Pairing
from ir.operations.lateral import LateralJoin
from ir.operations.no_columns import NoColumns
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.pivot import Unpivot
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.script import Script
from ir.operations.set_operation import SetOperation
from ir.operations.source import InlineSource, Source, Values
from ir.resolution.operations import field
from ir.rewriting import rebuild_over_changed, rename_outer_columns, replace
from ir.schema import ResolvedSchema
from tests.metamorphic.symbols import Undecided


class RenamedTree:
    """A renamed tree; ``sources`` are pairs of its original and renamed tables."""

    def __init__(self, root: QueryOperation, *, alike: bool) -> None:
        self.sources: list[tuple[Source, Source]] = []
        self._alike = alike
        self._count = 0
        self._recursive: dict[str, tuple[str, ...]] = {}
        self._done: dict[QueryOperation, QueryOperation] = {}
        for current in root.walk_with_subqueries():
            self._done[current] = self._renamed(current)
        self.root = self._done[root]

    def _names(self, count: int, taken: Sequence[str] = ()) -> tuple[str, ...]:
        """Return names for columns that stand beside the ``taken`` ones."""
        if self._alike:
            return tuple(make_distinct([f"c{len(taken) + i}" for i in range(count)], taken))
        self._count += count
        return tuple([f"n{i}" for i in range(self._count - count, self._count)])

    def _renamed(self, operation: QueryOperation) -> QueryOperation:
        if isinstance(operation, (InlineSource, ProcessTable, Script)):
            raise Undecided(operation.title)
        for part in [part for expression in operation.expressions for part in expression.walk()]:
            if isinstance(part, Call) and part.function is ARRAYS_ZIP:
                raise Undecided("ARRAYS_ZIP, whose fields are called like the columns")
        width = len(operation.schema)
        if isinstance(operation, Source):
            identifier = operation.identifier.evolve(name=f"t{len(self.sources)}")
            made: QueryOperation = operation.evolve(identifier=identifier, schema=self._schema(operation))
            assert isinstance(made, Source)
            self.sources.append((operation, made))
            return made
        if isinstance(operation, RecursiveReference):
            names = self._recursive.setdefault(operation.name, self._names(width))
            return operation.evolve(schema=ResolvedSchema.of(names, operation.schema.types))
        if isinstance(operation, Values):
            return operation.evolve(schema=self._schema(operation)) if width else operation
        inputs = self._inputs(operation)
        first = inputs[0].schema.names
        joined = self._joined(operation, first) if isinstance(operation, LateralJoin) else ()
        made = self._over(_without_new_names(operation), inputs, joined)
        if isinstance(made, (Project, Aggregate)):
            return made.evolve(names=self._names(width)).canonical()
        if isinstance(made, LateralJoin):
            return made.evolve(names=joined).canonical()
        if isinstance(made, Unpivot):
            kept = width - 1 - len(made.value_columns)
            label, *values = self._names(width - kept, made.schema.names[:kept])
            return made.evolve(label_column=label, value_columns=tuple(values))
        if isinstance(made, Recursion):
            names = self._recursive.get(operation.name) or self._names(width)  # type: ignore[attr-defined]  # of the class of made
            return made.evolve(schema=ResolvedSchema.of(names, operation.schema.types))
        if isinstance(made, SetOperation):
            return made.evolve(schema=ResolvedSchema.of(first, operation.schema.types))
        return made

    def _schema(self, operation: QueryOperation) -> ResolvedSchema:
        names = self._names(len(operation.schema))
        columns = [c.evolve(name=n) for c, n in zip(operation.schema.columns, names, strict=True)]
        return ResolvedSchema(tuple(columns))

    def _joined(self, operation: LateralJoin, taken: Sequence[str]) -> tuple[str, ...]:
        """Return the column names of a lateral join's right side; a joined query must already have them itself."""
        if not isinstance(operation.right, TableReference):
            return self._names(len(operation.names), taken)
        query = self._done[operation.right.operation]
        if not set(taken).isdisjoint(query.schema.names):
            self._done[operation.right.operation] = query = self._under_other_names(query, taken)
        return query.schema.names

    def _under_other_names(self, operation: QueryOperation, taken: Sequence[str]) -> QueryOperation:
        own = tuple([field(operation, index) for index in range(len(operation.schema))])
        return Project(operation, own, self._names(len(own), taken)).canonical()

    def _inputs(self, operation: QueryOperation) -> list[QueryOperation]:
        """Return the renamed inputs; the names of a join's right side differ from those of its left side."""
        inputs = [self._done[read] for read in operation.inputs]
        if isinstance(operation, NoColumns):
            # NoColumns has no names in the text, so it must stay the same.
            return [inputs[0].evolve(names=operation.input.schema.names)]
        if isinstance(operation, Pairing):
            left, right = inputs
            if not set(left.schema.names).isdisjoint(right.schema.names):
                inputs[1] = self._under_other_names(right, left.schema.names)
        return inputs

    def _over(self, operation: QueryOperation, inputs: list[QueryOperation], joined: tuple[str, ...]) -> QueryOperation:
        """Return an operation over renamed inputs, and rename the columns in its expressions and subqueries.

        ``joined`` contains the column names of a lateral join's right side, which is not an input.
        """
        changed = dict(zip(operation.inputs, inputs, strict=True))
        around: dict[str, str] = {}
        for read, made in changed.items():
            around.update(zip(read.schema.names, made.schema.names, strict=True))
        for query in operation.subqueries:
            changed[query] = rename_outer_columns(self._done[query], around)

        names = [*[read.schema.names for read in inputs], joined]

        def find(part: ResolvedExpression) -> ResolvedExpression | None:
            return part.evolve(name=names[part.input_index][part.index]) if isinstance(part, FieldReference) else None

        return rebuild_over_changed(
            operation, ChainMap(changed, self._done), lambda expression: replace(expression, find)
        )


def _without_new_names(operation: QueryOperation) -> QueryOperation:
    """Replace the names that an operation introduces by placeholders that no column has, until it gets new ones."""
    if isinstance(operation, LateralJoin):
        return operation.evolve(names=tuple([f"joined column {i}" for i in range(len(operation.names))]))
    if isinstance(operation, Unpivot):
        values = tuple([f"value column {i}" for i in range(len(operation.value_columns))])
        return operation.evolve(label_column="label column", value_columns=values)
    return operation
