"""Data sources in Python, in a module that workers do not have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark import TaskContext
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceWriter, InputPartition, WriterCommitMessage


def call(number: int) -> str:
    """Return the name of a number: readers may call functions of their module."""
    return f"n{number}"


class Reader(DataSourceReader):
    """Yields numbers with their names, in two partitions."""

    def __init__(self, options: dict[str, str]) -> None:
        self.options = options

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(number) for number in range(2)]

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        if "fail" in self.options:
            raise ValueError("the service is down")
        for number in range(partition.value, int(self.options.get("rows", "4")), 2):
            yield number, call(number)


class Writer(DataSourceWriter):
    """Writes rows as lines of JSON; the driver collects the partitions into one file."""

    def __init__(self, options: dict[str, str], overwrite: bool) -> None:
        self.folder = Path(options["folder"])
        self.overwrite = overwrite

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        task = TaskContext.get()
        assert task is not None
        part = self.folder / f"part-{task.taskAttemptId()}"
        part.write_text("".join(json.dumps(tuple(row)) + "\n" for row in iterator))
        return WriterCommitMessage()

    def commit(self, messages: Any) -> None:
        rows = self.folder / "rows"
        old = rows.read_text() if rows.exists() and not self.overwrite else ""
        parts = sorted(self.folder.glob("part-*"))
        rows.write_text(old + "".join(part.read_text() for part in parts))
        for part in parts:
            part.unlink()


class Numbers(DataSource):
    """A source of numbers, and a sink."""

    @classmethod
    def name(cls) -> str:
        return "formats_numbers"

    def schema(self) -> str:
        return "i INT, name STRING"

    def reader(self, schema: Any) -> DataSourceReader:
        return Reader(dict(self.options))

    def writer(self, schema: Any, overwrite: bool) -> DataSourceWriter:
        return Writer(dict(self.options), overwrite)
