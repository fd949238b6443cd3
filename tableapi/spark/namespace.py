"""Read and change the current catalog and namespace of a Spark session."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ir.identifiers import quote
from tableapi.spark.errors import readable_errors
from tableapi.spark.versions import is_connect, sail_version

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark quotes the parts that are not plain identifiers.
_PART = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")


class SessionNamespace:
    """The current catalog and namespace of a classic or Connect session."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session
        self._catalog: Any = None

    def read(self) -> tuple[str, ...]:
        """Return the current catalog and the parts of the current namespace; some catalogs have no namespaces.

        This takes two short calls without a job: less than a millisecond to a JVM, some milliseconds to a Connect
        server.

        Raises:
            TableException: the session has been stopped or cannot be reached.
        """
        with readable_errors("Reading the current database"):
            if self._catalog is None:
                session: Any = self._session
                self._catalog = session.catalog if is_connect(session) else session._jsparkSession.catalog()
            catalog, namespace = self._catalog.currentCatalog(), self._catalog.currentDatabase()
        parts = [quoted.replace("``", "`") or plain for quoted, plain in _PART.findall(namespace)]
        return (str(catalog), *parts)

    def use(self, namespace: tuple[str, ...]) -> None:
        """Set the current catalog and namespace.

        Raises:
            TableException: the namespace does not exist.
        """
        with readable_errors("USE"):
            if sail_version(self._session) is not None:
                # Sail has no USE of a path.
                catalog, *parts = namespace
                self._session.catalog.setCurrentCatalog(catalog)
                if parts:
                    self._session.catalog.setCurrentDatabase(".".join(map(quote, parts)))
                return
            self._session.sql(f"USE {'.'.join(map(quote, namespace))}").collect()
