"""What SQL does to the rows of a table, and PyFlink has no methods for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from ir.operations.aggregate import cube_sets, rollup_sets
from ir.operations.operation import QueryOperation
from ir.resolution import operations as resolve
from ir.resolution.grouping import Grouping, grouping_sets
from ir.resolution.lookup import FunctionLookup
from tableapi.arguments import column_names, unpivot_groups, unresolved, whole_number
from tableapi.expression import Expression
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir.operations.hint import HintName
    from tableapi.grouped_table import GroupedTable
    from tableapi.table import Table

_MAX_CUBE = 12


@boundaries
class RowSteps(ABC):
    """Steps of a query in the names of SQL and of PySpark; part of every table, which has what they need of one."""

    _operation: QueryOperation

    @property
    @abstractmethod
    def _lookup(self) -> FunctionLookup: ...

    @abstractmethod
    def _next(self, operation: QueryOperation) -> Table: ...

    @abstractmethod
    def _grouped(self, grouping: Grouping) -> GroupedTable: ...

    def grouping_sets(self, *sets: Sequence[Expression[Any]], keys: Sequence[Expression[Any]] = ()) -> GroupedTable:
        """Group rows several times, once by each set of keys; a key that is not in the set is NULL then.

        ``col("key").grouping`` and ``grouping_id()`` tell such a NULL from one of the data. PyFlink has this in SQL
        alone.

        Args:
            sets: the keys of each time, ``[]`` for one group of all rows:
                ``t.grouping_sets([col("a"), col("b")], [col("a")], [])``.
            keys: the order of the keys for ``grouping_id()``, if not that in which the sets have them; one that is in
                no set is always NULL.

        Raises:
            ValidationException: a set is not a sequence of expressions, or there is no key at all.
        """
        written = []
        for given in (*sets, keys):
            if isinstance(given, str | Expression) or not isinstance(given, Sequence):
                raise ValidationException(
                    f"grouping_sets takes sequences such as [col('a'), col('b')], but was given {given!r}."
                )
            written.append(unresolved(given, "grouping_sets"))
        first = written.pop()
        return self._grouped(grouping_sets(self._operation, written, self._lookup, first))

    def rollup(self, *fields: Expression[Any]) -> GroupedTable:
        """Group rows by all keys, then by all but the last, and so on down to one group of all rows.

        This gives subtotals and a grand total: ``t.rollup(col("year"), col("month")).select(…)``.

        Raises:
            ValidationException: there is no key, or one is not accepted.
        """
        keys = unresolved(fields, "rollup")
        sets = [[keys[i] for i in chosen] for chosen in rollup_sets(len(keys))]
        return self._grouped(grouping_sets(self._operation, sets, self._lookup))

    def cube(self, *fields: Expression[Any]) -> GroupedTable:
        """Group rows by every choice of the keys, from all of them to none.

        Raises:
            ValidationException: there is no key, one is not accepted, or there are more than 12, which would group the
                rows more than 4,096 times.
        """
        keys = unresolved(fields, "cube")
        if len(keys) > _MAX_CUBE:
            raise ValidationException(
                f"cube of {len(keys)} keys would group the rows {2 ** len(keys):,} times; at most {_MAX_CUBE} keys are "
                "accepted. Name the sets that are needed with grouping_sets."
            )
        sets = [[keys[i] for i in chosen] for chosen in cube_sets(len(keys))]
        return self._grouped(grouping_sets(self._operation, sets, self._lookup))

    def unpivot(
        self,
        ids: Sequence[Expression[Any]] | None,
        values: Sequence[Expression[Any]] | Mapping[str, Expression[Any] | Sequence[Expression[Any]]] | None,
        variable_column_name: str,
        value_column_name: str | Sequence[str],
        include_nulls: bool = True,
    ) -> Table:
        """Turn columns into rows: for each row and each column, a row with the column's name and its value.

        The names are those of ``pyspark.sql.DataFrame.unpivot``; PyFlink has nothing like it.

        Args:
            ids: columns that stay; None for all that are not among ``values``.
            values: columns that become rows, None for all that are not among ``ids``; or what to call each of them,
                ``{"first": col("a"), "second": col("b")}``, where a value may be several columns.
            variable_column_name: the column with the names.
            value_column_name: the column with the values, or one for each of several columns.
            include_nulls: keep rows whose values are all NULL, which ``UNPIVOT`` alone would leave out in SQL.

        Raises:
            ValidationException: something is no column of this table or is used twice, or the columns have no type in
                common.
        """
        value_names = [value_column_name] if isinstance(value_column_name, str) else list(value_column_name)
        from ir.resolution.pivoting import unpivot_columns

        operation = unpivot_columns(
            self._operation,
            None if ids is None else unresolved(ids, "unpivot"),
            unpivot_groups(values),
            column_names([variable_column_name], "unpivot")[0],
            column_names(value_names, "unpivot"),
            include_nulls=include_nulls,
        )
        return self._next(operation)

    def sample(self, fraction: float | Decimal, seed: int | None = None) -> Table:
        """Keep each row with a probability.

        Args:
            fraction: the probability, from 0 to 1.
            seed: a whole number from 0, which makes the choice the same each time over the same rows in the same
                partitions.

        Raises:
            ValidationException: the fraction or the seed is out of range.
        """
        if isinstance(fraction, bool) or not isinstance(fraction, int | float | Decimal):
            raise ValidationException(f"sample takes a fraction from 0 to 1, but was given {fraction!r}.")
        if seed is not None and not 0 <= whole_number(seed, "sample") < 2**31:
            raise ValidationException(f"The seed of sample is from 0 to {2**31 - 1}, but {seed} was given.")
        exact = Decimal(repr(fraction) if isinstance(fraction, float) else fraction)
        if not exact.is_finite():
            raise ValidationException(f"sample takes a fraction from 0 to 1, but was given {fraction!r}.")
        from ir.operations.hint import Sample

        return self._next(Sample(self._operation, (exact * 100).normalize(), seed))

    def hint(self, name: HintName, *parameters: int | Expression[Any]) -> Table:
        """Advise Spark how to run the query; no hint changes its rows.

        Args:
            name: ``BROADCAST``, ``MERGE``, ``SHUFFLE_HASH`` or ``SHUFFLE_REPLICATE_NL`` for how this table is joined
                with another; ``COALESCE``, ``REPARTITION``, ``REPARTITION_BY_RANGE`` or ``REBALANCE`` for how its rows
                are spread.
            parameters: of the latter, the number of partitions and columns to spread by.

        >>> # orders.join(customers.hint("broadcast"), col("customer_id") == col("id"))

        Raises:
            ValidationException: there is no such hint, or it does not take the parameters.
        """
        if not isinstance(name, str):
            raise ValidationException(f"hint takes the name of a hint, but was given {name!r}.")
        partitions: int | None = None
        rest: Sequence[Any] = parameters
        if parameters and isinstance(parameters[0], int):
            partitions, rest = whole_number(parameters[0], "hint"), parameters[1:]
        columns = [resolve.column_of(self._operation, e, "hint") for e in unresolved(rest, "hint")]
        from ir.operations.hint import Hint, hint_name

        return self._next(Hint(self._operation, hint_name(name), partitions, tuple(columns)))

    def distribute_by(self, *keys: Expression[Any]) -> Table:
        """Have Spark put the rows with equal keys into one partition; ``DISTRIBUTE BY`` in SQL.

        The rows stay the same. It is for what comes after: files that are written by partition, and
        :meth:`sort_within_partitions`. The number of partitions is Spark's (``hint("repartition", …)`` takes one).

        Raises:
            ValidationException: a key is an aggregate, is computed over a window, or is of type VARIANT.
        """
        from ir.resolution.partitions import distribute_rows

        return self._next(distribute_rows(self._operation, unresolved(keys, "distribute_by"), self._lookup))

    def sort_within_partitions(self, *fields: Expression[Any]) -> Table:
        """Put the rows in order within each partition, which costs less than a sort of all; ``SORT BY`` in SQL.

        >>> from tableapi import TableEnvironment
        >>> from tableapi.expressions import col
        >>> te = TableEnvironment.create()
        >>> clicks = te.from_elements([("Ada", 2), ("Bo", 1)], ["customer", "page"])
        >>> clicks.distribute_by(col("customer")).sort_within_partitions(col("customer"), col("page").desc)
        Table(
          `customer` STRING NOT NULL,
          `page` INT NOT NULL
        )
        SELECT `customer`, `page`
        FROM VALUES
            ('Ada', 2),
            ('Bo', 1)
        AS `values`(`customer`, `page`)
        DISTRIBUTE BY `customer`
        SORT BY `customer`, `page` DESC

        Raises:
            ValidationException: values of a key's type have no order.
        """
        keys = unresolved(fields, "sort_within_partitions")
        from ir.resolution.partitions import sort_partitions

        return self._next(sort_partitions(self._operation, keys, self._lookup))
