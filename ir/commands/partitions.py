"""Partitions of a table in statements, and the changes of ALTER TABLE that concern them and where their files are."""

from __future__ import annotations

from ir.commands.alterations import TableChange
from ir.commands.command import CommandPart
from ir.expressions import ResolvedExpression
from ir.nodes import node


@node
class PartitionKey(CommandPart):
    """A partition column and its value; None for all values."""

    name: str
    value: ResolvedExpression | None = None

    def describe(self) -> str:
        """Return the column and its value."""
        return self.name if self.value is None else f"{self.name} = {self.value.as_summary_string()}"


@node
class Partition(CommandPart):
    """One partition, or all partitions that share the values of some columns."""

    keys: tuple[PartitionKey, ...]

    @property
    def valued(self) -> frozenset[str]:
        """The columns that have a value."""
        return frozenset(key.name for key in self.keys if key.value is not None)

    def describe(self) -> str:
        """Return the columns and values in parentheses."""
        return f"({', '.join(key.describe() for key in self.keys)})"


@node
class NewPartition(CommandPart):
    """A partition to add, and the directory of its files, None for the usual one."""

    partition: Partition
    location: str | None = None

    def describe(self) -> str:
        """Return the partition and its directory."""
        return self.partition.describe() + ("" if self.location is None else f" at {self.location}")


@node
class AddPartitions(TableChange):
    """Add partitions; ``if_not_exists`` keeps those that exist."""

    partitions: tuple[NewPartition, ...]
    if_not_exists: bool = False

    def describe(self) -> str:
        return f"add the partitions {', '.join(p.describe() for p in self.partitions)}"


@node
class DropPartitions(TableChange):
    """Drop partitions with their rows; ``purges`` deletes files at once instead of moving them to a trash."""

    partitions: tuple[Partition, ...]
    if_exists: bool = False
    purges: bool = False

    def describe(self) -> str:
        return f"drop the partitions {', '.join(p.describe() for p in self.partitions)}"


@node
class RenamePartition(TableChange):
    """Give a partition other values."""

    partition: Partition
    new_partition: Partition

    def describe(self) -> str:
        return f"rename the partition {self.partition.describe()} to {self.new_partition.describe()}"


@node
class RecoverPartitions(TableChange):
    """Register the partitions whose directories exist."""

    def describe(self) -> str:
        return "recover its partitions"


@node
class SetLocation(TableChange):
    """Change the directory of the files of a table or of a partition."""

    location: str
    partition: Partition | None = None

    def describe(self) -> str:
        of = "" if self.partition is None else f" of the partition {self.partition.describe()}"
        return f"set the location{of} to {self.location}"


@node
class SetSerde(TableChange):
    """Change how Hive reads the rows of a table or partition: the class, None for the same, and its properties."""

    serde: str | None
    properties: tuple[tuple[str, str], ...] = ()
    partition: Partition | None = None

    def describe(self) -> str:
        return "set the serde" + ("" if self.serde is None else f" {self.serde}")
