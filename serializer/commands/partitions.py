"""Writes PARTITION clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir.commands.partitions import Partition

if TYPE_CHECKING:
    from serializer.commands.writing import CommandWriting


def partition_text(partition: Partition, writing: CommandWriting) -> str:
    """Write a partition, which both dialects have.

    Raises:
        TableException: a value has no form in the dialect.
    """
    keys = [
        writing.name(key.name) + ("" if key.value is None else f" = {writing.expression(key.value)}")
        for key in partition.keys
    ]
    return f"PARTITION ({', '.join(keys)})"
