"""Compare a stored view with another text of its query: by Spark's plans, and by all rows."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.identifiers import quote
from tableapi.catalog.time_zones import TIME_ZONE
from tableapi.spark.errors import readable_errors
from tableapi.spark.versions import is_connect, server_version
from tableapi.spark.views.plan_texts import same_but_for_names
from tableapi.spark.views.settings import declared_settings, private_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import DataType
    from typing_extensions import Self

SAMPLE: Final = 5
_ALL_FIELDS: Final = 1_000_000
_PLAN: Final = re.compile(r"== Optimized Logical Plan ==\n(.*?)\n\n== Physical Plan ==", re.DOTALL)
# Types whose values Spark neither hashes nor compares.
_NOT_HASHED: Final = ("map", "variant", "geometry", "geography")


@attrs.frozen
class RowDigest:
    """A hash over the rows of a table, in which their order does not count.

    Attributes:
        count: the number of rows.
        sums: two sums of hashes of the rows.
    """

    count: int
    sums: tuple[str, str]


class Comparison:
    """A view as the catalog has it, and the text that may replace it, both in one private session.

    Args:
        spark: the session.
        path: the catalog, database and name of the view.
        text: the other text, with full names.
        settings: the settings with which the other text is read, besides the required ones.
        namespace: the catalog and database of names without them in the other text; empty if it has full names.
    """

    def __init__(
        self,
        spark: SparkSession,
        path: Sequence[str],
        text: str,
        settings: Mapping[str, str],
        namespace: Sequence[str] = (),
    ) -> None:
        self._spark = spark
        self._path = ".".join(map(quote, path))
        self._text = text
        zone = settings.get(TIME_ZONE) or str(spark.conf.get(TIME_ZONE))
        self._settings = declared_settings(server_version(spark), zone, {})
        self._namespace = ".".join(map(quote, namespace))
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with readable_errors():
            self._session = self._open.enter_context(private_session(self._spark, self._settings))
            if self._namespace:
                self._session.sql(f"USE {self._namespace}")
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def _frames(self) -> tuple[DataFrame, DataFrame]:
        old, new = self._session.table(self._path), self._session.sql(self._text)
        # Spark reads a view through such a projection, which changes what it computes below a window.
        names = ", ".join(f"{quote(name)} AS {quote(name)}" for name in new.columns)
        return old, self._session.sql(f"SELECT {names} FROM (\n{self._text}\n)")

    def has_same_meaning(self) -> bool:
        """Whether Spark itself takes both for the same query, and so evaluates them in the same way.

        The text of a plan does not show the settings that its expressions have taken over, such as ANSI mode.

        Raises:
            TableException: Spark cannot read one of the two, or cannot optimise it.
        """
        with readable_errors():
            old, new = self._frames()
            return bool(old.sameSemantics(new))

    def has_same_plan(self) -> bool | None:
        """Whether Spark's optimised plans are equal, but for names; None if Spark cannot optimise one of them.

        Raises:
            TableException: Spark cannot read one of the two.
        """
        with readable_errors():
            old, new = self._frames()
            if is_connect(self._session):
                if old.sameSemantics(new):
                    return True
                plans = [_explained(frame) for frame in (old, new)]
            else:
                found = [_optimised(frame) for frame in (old, new)]
                if found[0].sameResult(found[1]):
                    return True
                plans = [str(plan.treeString(True, False, _ALL_FIELDS, False, False)) for plan in found]
        if None in plans:
            return None
        return same_but_for_names(str(plans[0]), str(plans[1]), ignores_selections=True)

    def digests(self) -> tuple[RowDigest, RowDigest]:
        """Return the hashes over all rows of both.

        Raises:
            TableException: one of the queries fails.
        """
        with readable_errors():
            old, new = self._frames()
            return self._digest(old), self._digest(new)

    def _digest(self, frame: DataFrame) -> RowDigest:
        named = frame.toDF(*[f"c{number}" for number in range(len(frame.columns))])
        columns = ", ".join(self._comparable(named)) or "0"
        hashes = [f"CAST(SUM(CAST(xxhash64({columns}{salt}) AS DECIMAL(38, 0))) AS STRING)" for salt in ("", ", 'b'")]
        ((count, *sums),) = named.selectExpr("COUNT(*)", *hashes).collect()
        return RowDigest(int(count), (str(sums[0]), str(sums[1])))

    def _comparable(self, frame: DataFrame) -> Iterator[str]:
        """Yield an expression for each column whose values Spark can hash and compare."""
        for field in frame.schema.fields:
            name = quote(field.name)
            yield f"to_json(struct({name}))" if _is_not_hashed(field.dataType) else name

    def differences(self) -> list[tuple[str, ...]]:
        """Return some rows that only one of the two has: a side, and the values as texts.

        Raises:
            TableException: one of the queries fails.
        """
        found: list[tuple[str, ...]] = []
        with readable_errors():
            old, new = [
                named.selectExpr(*self._comparable(named))
                for frame in self._frames()
                for named in [frame.toDF(*[f"c{number}" for number in range(len(frame.columns))])]
            ]
            for side, one, other in (("before", old, new), ("after", new, old)):
                rows = one.exceptAll(other).limit(SAMPLE).collect()
                found += [(side, *[str(value) for value in row]) for row in rows]
        return found


def _is_not_hashed(data_type: DataType) -> bool:
    shown = data_type.simpleString()
    return any(re.search(rf"\b{name}\b", shown) for name in _NOT_HASHED)


def _optimised(frame: Any) -> Any:
    return frame._jdf.queryExecution().optimizedPlan()


def _explained(frame: Any) -> str | None:
    found = _PLAN.search(frame._explain_string(extended=True))
    return None if found is None else found[1]
