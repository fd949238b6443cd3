"""The data source ``tableapi_nats``, which reads and writes streams of NATS JetStream."""

from __future__ import annotations

from typing import Any

from pyspark.sql.datasource import DataSource

from tableapi.spark.runtime.nats import reading, writing
from tableapi.spark.runtime.nats.reading import BoundedReader, StreamReader
from tableapi.spark.runtime.nats.settings import NAME, read_settings
from tableapi.spark.runtime.nats.writing import BatchWriter, StreamWriter

MODULES = (reading, writing)
"""The modules that are sent with this one."""

COLUMNS = "data BINARY, subject STRING, sequence BIGINT, time TIMESTAMP, headers MAP<STRING, STRING>"


class NatsSource(DataSource):
    """The messages of a stream. The options are those of ``tableapi.spark.runtime.nats.settings``, checked before."""

    @classmethod
    def name(cls) -> str:
        """Return the name in Spark, which no other data source has."""
        return NAME

    def schema(self) -> str:
        """Return the columns of a message."""
        return COLUMNS

    def reader(self, schema: Any) -> BoundedReader:
        """Return the reader of the messages that a stream has when the query is planned."""
        return BoundedReader(read_settings(self.options))

    def streamReader(self, schema: Any) -> StreamReader:
        """Return the reader of the messages as they come."""
        return StreamReader(read_settings(self.options))

    def writer(self, schema: Any, overwrite: bool) -> BatchWriter:
        """Return the writer of rows that end."""
        return BatchWriter(read_settings(self.options))

    def streamWriter(self, schema: Any, overwrite: bool) -> StreamWriter:
        """Return the writer of the rows of a stream."""
        return StreamWriter(read_settings(self.options))
