"""The exceptions and warnings of the library, under the names that tracebacks show.

>>> from tableapi import TableEnvironment
>>> from tableapi.exceptions import TableNotExistException
>>> try:
...     TableEnvironment.create().from_path("orders")
... except TableNotExistException as error:
...     print(type(error).__module__, error.condition)
tableapi.exceptions TABLE_OR_VIEW_NOT_FOUND
"""

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
    TreeJsonException,
    ValidationException,
)
from ir.light_typing import TYPE_CHECKING, Any
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi.spark import errors
    from tableapi.spark.errors import SparkAnalysisException, SparkExecutionException
else:
    # Loaded lazily, because a process without Spark never raises them.
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
    "TreeJsonException",
    "ValidationException",
]

# A traceback shows the module in ``__module__``, and users import these classes only from here.
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
    TreeJsonException,
    ValidationException,
):
    _class.__module__ = __name__
del _class


def _exception_of_spark(name: str) -> Any:
    if name in ("SparkAnalysisException", "SparkExecutionException"):
        return getattr(errors, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:
    # Without this condition, a type checker would accept any attribute of this module.
    __getattr__ = _exception_of_spark
