"""Syntax nodes of the parts of CREATE TABLE, in the forms of both dialects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from grammar.errors import Misread
from grammar.syntax import Name, Path, Syntax, node
from ir.errors import did_you_mean


class Properties(dict[str, str]):
    """Options or properties in parentheses, with the positions of each key and of its value."""

    def __init__(self) -> None:
        super().__init__()
        self.positions: dict[str, tuple[int, int]] = {}


def make_connector_error(position: int, given: Mapping[str, str]) -> Misread:
    """Return the error about WITH without the option ``connector``, at a misspelt ``connector`` if there is one.

    Args:
        position: the position of the statement.
        given: the options after WITH.
    """
    problem = "WITH has no option 'connector'; tables are files: 'connector' = 'filesystem'."
    near = next((key for key in given if did_you_mean(key, ["connector"])), None)
    if near is None or not isinstance(given, Properties):
        return Misread(position, problem)
    return Misread(given.positions[near][0], f"{problem}{did_you_mean(near, ['connector'])}")


@node
class ColumnDefault(Syntax):
    """The DEFAULT of a column."""

    position: int
    expression: Any
    called: ClassVar[str] = "DEFAULT"


@node
class ColumnGenerated(Syntax):
    """The expression of a column that is GENERATED ALWAYS AS."""

    position: int
    expression: Any
    called: ClassVar[str] = "generated columns"


@node
class ColumnIdentity(Syntax):
    """The numbering of an identity column; ``always`` excludes explicit values."""

    position: int
    always: bool
    start: int
    step: int
    called: ClassVar[str] = "identity columns"


@node
class TableConstraint(Syntax):
    """A constraint other than a primary key: ``kind`` is UNIQUE, CHECK or FOREIGN KEY.

    ``expression`` is the condition of a CHECK; ``references`` and ``referenced`` are the table of a foreign key, and
    its columns if the statement lists them.
    """

    position: int
    kind: str
    name: Name | None
    columns: list[Name]
    expression: Any
    references: Path | None
    referenced: list[Name]
    is_enforced: bool | None
    relies: bool


@node
class PartitionKey(Syntax):
    """An item of PARTITIONED BY: a column, a transform of a column, or the declaration of a column.

    ``transform`` is the name of the transform, and ``argument`` its number: 16 in ``bucket(16, id)``.
    """

    position: int
    column: Path
    transform: str | None = None
    argument: int | None = None
    declared: Any = None

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.parts[-1]

    @property
    def is_column(self) -> bool:
        """Whether the item is a column of the table itself."""
        return self.transform is None and self.declared is None and len(self.column.parts) == 1


@node
class Buckets(Syntax):
    """CLUSTERED BY of Spark, and DISTRIBUTED BY of Flink.

    ``algorithm`` is HASH, RANGE, or empty if unwritten; ``count`` is None if unwritten.
    """

    position: int
    columns: list[Name]
    sort_keys: list[Name]
    count: int | None
    algorithm: str = ""


@node
class LikeFeature(Syntax):
    """A feature of LIKE with its strategy, such as INCLUDING OPTIONS."""

    position: int
    strategy: str
    feature: str


@node
class LikeTable(Syntax):
    """LIKE with the table whose definition is copied, and which parts of it."""

    position: int
    table: Path
    features: list[LikeFeature]
