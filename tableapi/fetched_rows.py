"""The rows of a table: the query runs, and they are fetched in one form or another."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from ir.operations.operation import QueryOperation
from tableapi.result import TableResult
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    import pandas
    import pyarrow
    from pyspark.sql import DataFrame

    from tableapi.environment import TableEnvironment


@boundaries
class FetchedRows:
    """What runs the query of a table; part of every table."""

    _environment: TableEnvironment
    _operation: QueryOperation

    if TYPE_CHECKING:

        def _naming(self) -> AbstractContextManager[None]: ...

    def execute(self) -> TableResult:
        """Run the query once and return its rows, which are fetched as they are asked for.

        A small result has been computed when this returns. Of a large one only the first part has been, and the rest
        runs while one iterates: some tens of megabytes are in memory at a time, or one partition where that is larger.

        Raises:
            TableException: it failed; the message names the operation, Spark's condition and SQLSTATE. What fails in
                a later part is raised when that part is reached.
        """
        with self._naming():
            return TableResult(self._operation.schema, self._environment._execution.batches(self._operation))

    def to_arrow(self) -> pyarrow.Table:
        """Run the query and return its rows as an Arrow table."""
        with self._naming():
            return self._environment._execution.arrow(self._operation)

    def to_arrow_batch_reader(self) -> pyarrow.RecordBatchReader:
        """Run the query once and return its rows as Arrow batches that are fetched as they are asked for.

        The types are those of ``to_arrow``; what is in memory at a time is what ``execute`` says. What is not read is
        not computed.

        Raises:
            TableException: as ``execute``.

        Examples:
            with table.to_arrow_batch_reader() as reader:
                for batch in reader:
                    writer.write_batch(batch)
        """
        import pyarrow as pa

        with self._naming():
            batches = self._environment._execution.batches(self._operation)
        return pa.RecordBatchReader.from_batches(batches.schema, batches)

    def to_pandas(self) -> pandas.DataFrame:
        """Run the query and return its rows as a pandas DataFrame."""
        return self.to_arrow().to_pandas()  # type: ignore[no-any-return]  # pyarrow has no types

    def to_spark(self) -> DataFrame:
        """Return the query as a DataFrame of the environment's session.

        A query over a stream gives a streaming DataFrame, to be started with its ``writeStream``.

        Raises:
            TableException: Spark refuses the query, or the query is over a stream and does what streams cannot.
        """
        with self._naming():
            return self._environment._execution.dataframe(self._operation)
