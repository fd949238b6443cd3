"""The names of the catalogs that a Spark session has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ir.errors import CatalogException, listing
from ir.identifiers import fold

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SESSION_CATALOG: Final = "spark_catalog"
_CATALOG: Final = "spark.sql.catalog."


def configured_name(spark: SparkSession, name: str) -> str | None:
    """Return the name of a catalog of the session as its configuration spells it, None where it has none.

    Spark finds its own catalog whatever the case of the name, others only as they are configured.

    Raises:
        CatalogException: it has several whose names differ in case alone, and none as it is given.
    """
    if fold(name) == SESSION_CATALOG:
        return SESSION_CATALOG
    if spark.conf.get(_CATALOG + name, None) is not None:
        return name
    keys = [str(key).removeprefix(_CATALOG) for key in spark.conf.getAll if str(key).startswith(_CATALOG)]
    found = sorted(key for key in keys if fold(key) == fold(name))
    if len(found) > 1:
        raise CatalogException(
            f"The Spark session has several catalogs that {name!r} may mean: [{listing(found)}]. Write one of these "
            "names in its own case."
        )
    return found[0] if found else None
