"""Column lineage as the facet of OpenLineage, version 1-2-0.

See https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tableapi._version import __version__
from tableapi.lineage.fields import INFLUENCES, Dataset, Field, Kind, LineageStep

SCHEMA_URL: Final = (
    "https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet"
)
PRODUCER: Final = f"urn:tableapi:{__version__}"


def facet(dataset: Dataset, steps: Iterable[LineageStep], namespace: str | None = None) -> dict[str, Any]:
    """Return the facet ``columnLineage`` of a view or query as a JSON object.

    Args:
        dataset: the view or query.
        steps: the steps into its fields.
        namespace: the namespace of all datasets; None for the names of their catalogs.
    """
    fields: dict[str, dict[tuple[str, str, str], list[dict[str, Any]]]] = {n: {} for n in dataset.schema.names}
    rows: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for step in steps:
        if step.target.dataset is not dataset or step.source.is_rows:
            continue
        into = rows if step.target.column is None else fields[step.target.column]
        transformations = into.setdefault(_input(step.source, namespace), [])
        for influence in step.influences:
            kind, subtype = INFLUENCES[influence]
            made = {"type": kind, "subtype": subtype, "description": "", "masking": False}
            if made not in transformations:
                transformations.append(made)
    return {
        "_producer": PRODUCER,
        "_schemaURL": SCHEMA_URL,
        "fields": {name: {"inputFields": _inputs(found)} for name, found in fields.items()},
        "dataset": _inputs(rows),
    }


def _input(field: Field, namespace: str | None) -> tuple[str, str, str]:
    dataset = field.dataset
    found = dataset.namespace if namespace is None else namespace
    return found or _NAMESPACES.get(dataset.kind, ""), dataset.name_in_namespace, field.openlineage_name


# What has no catalog.
_NAMESPACES = {Kind.DATA: "process", Kind.VIEW: "temporary", Kind.TABLE: "temporary"}


def _inputs(found: dict[tuple[str, str, str], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return [
        {"namespace": namespace, "name": name, "field": field, "transformations": transformations}
        for (namespace, name, field), transformations in found.items()
    ]
