"""Register data sources in Python with a session, with their code, so that workers need no modules of the user."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from tableapi.spark.errors import readable_errors
from tableapi.spark.python_functions import pickle_user_code_by_value

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_REGISTERED: Final[WeakKeyDictionary[Any, dict[str, type[Any]]]] = WeakKeyDictionary()


def register(session: SparkSession, source: type[Any], runtime: Sequence[ModuleType] = ()) -> None:
    """Register a data source with a session, unless the session has it already.

    Args:
        session: the session.
        source: the class of the data source.
        runtime: the modules of this library that the class consists of.

    Raises:
        TableException: the code cannot be sent to workers.
    """
    known, name = _REGISTERED.setdefault(session, {}), source.name()
    if known.get(name) is source:
        return
    with readable_errors(f"Registering the data source {name}"), pickle_user_code_by_value(runtime):
        session.dataSource.register(source)
    known[name] = source
