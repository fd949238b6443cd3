"""Names of datasets and fields as people write them: ``sales.revenue``, ``sales.revenue.address.city``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ir.errors import ValidationException, did_you_mean, listing
from ir.identifiers import fold_path, parse_long_path
from ir.lineage.paths import read_path
from tableapi.lineage.fields import Dataset
from tableapi.lineage.graph import Node


def find_field(name: str, datasets: Sequence[Dataset]) -> tuple[Dataset, Node | None]:
    """Return the dataset that a name means, and the column or the part of a column if it means one.

    A name may omit the catalog and the database of a dataset. If the name of a table is also the name of a database,
    the longer name of a table counts.

    Args:
        name: the name, with its parts separated by dots.
        datasets: the known datasets.

    Raises:
        ValidationException: there is no such dataset or column, or several datasets have the name; the message
            suggests the nearest name.
    """
    parts = parse_long_path(name)
    for length in range(len(parts), 0, -1):
        found = [dataset for dataset in datasets if _has_name(dataset, parts[:length])]
        exact = [dataset for dataset in found if len(_parts(dataset)) == length] or found
        if len(exact) > 1:
            shown = ", ".join(sorted(".".join(_parts(dataset)) for dataset in exact))
            raise ValidationException(f"The name {name!r} is ambiguous: it may mean [{shown}]. Write the whole name.")
        if exact:
            return exact[0], _column(exact[0], parts[length:])
    names = sorted({dataset.name for dataset in datasets})
    raise ValidationException(
        f"There is no table or view {name!r}; there are [{listing(names)}]." + _suggestion(parts, names, datasets)
    )


def _suggestion(parts: tuple[str, ...], names: list[str], datasets: Iterable[Dataset]) -> str:
    """Return the nearest name of a dataset for a name whose last part may be a column."""
    known = [*names, *(_parts(dataset)[-1] for dataset in datasets)]
    for length in range(len(parts), 0, -1):
        found = did_you_mean(".".join(parts[:length]), known)
        if found:
            return found
    return ""


def find_column(dataset: Dataset, name: str) -> Node:
    """Return the column or the part of a column that a name means in a dataset.

    Raises:
        ValidationException: there is no such column; the message suggests the nearest name.
    """
    found = _column(dataset, parse_long_path(name))
    assert found is not None, "a name has a part"
    return found


def _column(dataset: Dataset, parts: tuple[str, ...]) -> Node | None:
    if not parts:
        return None
    index = dataset.schema.index_of(parts[0])
    if index is None:
        names = dataset.schema.names
        raise ValidationException(
            f"{dataset.name} has no column {parts[0]!r}; its columns are [{listing(names)}]."
            + did_you_mean(parts[0], names)
        )
    column = dataset.schema.columns[index]
    return Node(dataset, index, read_path(column.data_type, parts[1:], f"{dataset.name}.{column.name}"))


def _parts(dataset: Dataset) -> tuple[str, ...]:
    return (dataset.name,) if dataset.identifier is None else dataset.identifier.parts


def _has_name(dataset: Dataset, parts: tuple[str, ...]) -> bool:
    own = fold_path(_parts(dataset))
    return own[-len(parts) :] == fold_path(parts)
