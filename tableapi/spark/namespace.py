"""The current catalog and namespace of a Spark session, read and changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ir.identifiers import quote
from tableapi.spark.errors import readable_errors
from tableapi.spark.settings import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark quotes the parts that are no plain words.
_PART = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")


class SessionNamespace:
    """Where a classic or Connect session finds names without a catalog and a database."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session
        self._catalog: Any = None

    def read(self) -> tuple[str, ...]:
        """Return the current catalog and the parts of the current namespace; some catalogs have none of these.

        Takes two short calls without a job: to the JVM less than a millisecond, to a server of Connect some of them.

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
        """Make a catalog and a namespace the current ones.

        Raises:
            TableException: there is no such namespace.
        """
        with readable_errors("USE"):
            self._session.sql(f"USE {'.'.join(map(quote, namespace))}").collect()
