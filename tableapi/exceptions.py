"""The exceptions and warnings of the library, each under the name that a traceback shows.

>>> from tableapi import TableEnvironment
>>> from tableapi.exceptions import TableNotExistException
>>> try:
...     TableEnvironment.create().from_path("orders")
... except TableNotExistException as error:
...     print(type(error).__module__, error.condition)
tableapi.exceptions TABLE_OR_VIEW_NOT_FOUND
"""

from typing import TYPE_CHECKING, Any

from ir.errors import (
    CatalogException,
    CatalogNotExistException,
    DatabaseAlreadyExistException,
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    SqlParserException,
    SuspiciousCastWarning,
    TableAlreadyExistException,
    TableException,
    TableNotExistException,
    ValidationException,
)
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi.spark import errors
    from tableapi.spark.errors import SparkAnalysisException, SparkExecutionException
else:
    # A process without Spark never raises these.
    errors = lazy(__name__, "tableapi.spark.errors")

__all__ = [
    "CatalogException",
    "CatalogNotExistException",
    "DatabaseAlreadyExistException",
    "DatabaseNotExistException",
    "FunctionAlreadyExistException",
    "FunctionNotExistException",
    "SparkAnalysisException",
    "SparkExecutionException",
    "SqlParserException",
    "SuspiciousCastWarning",
    "TableAlreadyExistException",
    "TableException",
    "TableNotExistException",
    "ValidationException",
]

# A traceback shows a class by the module that it names, and users import from here alone.
for _class in (
    CatalogException,
    CatalogNotExistException,
    DatabaseAlreadyExistException,
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    SqlParserException,
    SuspiciousCastWarning,
    TableAlreadyExistException,
    TableException,
    TableNotExistException,
    ValidationException,
):
    _class.__module__ = __name__
del _class


def _exception_of_spark(name: str) -> Any:
    if name in ("SparkAnalysisException", "SparkExecutionException"):
        return getattr(errors, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:
    # A type checker would otherwise accept any attribute of this module.
    __getattr__ = _exception_of_spark
