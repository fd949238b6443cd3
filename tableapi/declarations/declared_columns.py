"""The columns of a declared schema: stored, computed, and of metadata."""

from __future__ import annotations

from collections.abc import Mapping

from ir import light_attrs as attrs
from ir.expressions import Expression as Unresolved
from ir.identifiers import quote
from ir.light_typing import TYPE_CHECKING, Literal, get_args
from ir.types import LogicalType
from tableapi.expression import Expression

if TYPE_CHECKING:
    from tableapi.declarations.schema_rules import ColumnRule


@attrs.frozen
class PhysicalColumn:
    """A stored column; ``rule`` says how it gets a value that no statement gives."""

    name: str
    data_type: LogicalType
    comment: str | None = None
    rule: ColumnRule | None = None

    def __repr__(self) -> str:
        rule = "" if self.rule is None else repr(self.rule)
        return f"{quote(self.name)} {self.data_type.as_summary_string()}{rule}"


@attrs.frozen
class ComputedColumn:
    """A column that is computed from stored columns when the table is read; ``expression`` may be SQL text."""

    name: str
    expression: Unresolved | str
    comment: str | None = None

    def __repr__(self) -> str:
        shown = self.expression if isinstance(self.expression, str) else repr(Expression(self.expression))
        return f"{quote(self.name)} AS {shown}"


@attrs.frozen
class MetadataColumn:
    """A column with metadata of the file or of the broker's record that a row comes from.

    ``is_virtual`` columns are only read. The others are columns of an INSERT, too, if the connector can write them.
    """

    name: str
    data_type: LogicalType
    key: str
    comment: str | None = None
    is_virtual: bool = True

    def __repr__(self) -> str:
        virtual = " VIRTUAL" if self.is_virtual else ""
        return f"{quote(self.name)} {self.data_type.as_summary_string()} METADATA FROM {self.key!r}{virtual}"


SchemaColumn = PhysicalColumn | ComputedColumn | MetadataColumn

FileMetadataKey = Literal[
    "file_path",
    "file_name",
    "file_size",
    "file_block_start",
    "file_block_length",
    "file_modification_time",
]
FILE_METADATA_KEYS: tuple[str, ...] = get_args(FileMetadataKey)
"""The metadata of a row from a file: the fields of Spark's ``_metadata``."""
FlinkFileMetadataKey = Literal["file.path", "file.name", "file.size", "file.modification-time"]
FILE_METADATA_OF_FLINK: Mapping[str, str] = {
    "file.path": "file_path",
    "file.name": "file_name",
    "file.size": "file_size",
    "file.modification-time": "file_modification_time",
}
"""The metadata of a row from a file by the keys of Flink.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/connectors/table/filesystem/#available-metadata
"""
RecordMetadataKey = Literal[
    "topic",
    "partition",
    "offset",
    "timestamp",
    "timestamp-type",
    "headers",
    "key",
    "value",
    "error",
]
RECORD_METADATA_KEYS: tuple[str, ...] = get_args(RecordMetadataKey)
"""The metadata of a record of Kafka."""
MessageMetadataKey = Literal["subject", "sequence", "time", "headers", "error"]
MESSAGE_METADATA_KEYS: tuple[str, ...] = get_args(MessageMetadataKey)
"""The metadata of a message of NATS."""
MetadataKey = FileMetadataKey | FlinkFileMetadataKey | RecordMetadataKey | MessageMetadataKey
