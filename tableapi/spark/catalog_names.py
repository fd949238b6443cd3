"""Names of the catalogs that a Spark session has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ir.errors import CatalogException, listing
from ir.identifiers import fold
from tableapi.spark.versions import explicit_settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SESSION_CATALOG: Final = "spark_catalog"
_CATALOG: Final = "spark.sql.catalog."


def find_configured_name(spark: SparkSession, name: str) -> str | None:
    """Return a catalog name as the configuration of the session spells it; None if there is no such catalog.

    Spark finds its own catalog in any case, and other catalogs only in their configured case.

    Raises:
        CatalogException: several catalogs differ from the name in case only, and none is spelled like it.
    """
    if fold(name) == SESSION_CATALOG:
        return SESSION_CATALOG
    if spark.conf.get(_CATALOG + name, None) is not None:
        return name
    found = [key for key in list_configured_names(spark) if fold(key) == fold(name)]
    if len(found) > 1:
        raise CatalogException(
            f"The Spark session has several catalogs that {name!r} may mean: [{listing(found)}]. Write one of these "
            "names in its own case."
        )
    return found[0] if found else None


def list_configured_names(spark: SparkSession) -> list[str]:
    """Return the sorted names of the catalogs that the session configures, Spark's own one if it is configured anew."""
    keys = [str(key).removeprefix(_CATALOG) for key in explicit_settings(spark) if str(key).startswith(_CATALOG)]
    # The options of a catalog follow its name and a dot.
    return sorted(key for key in keys if "." not in key)
