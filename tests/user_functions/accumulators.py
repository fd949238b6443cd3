"""Aggregates with each form of accumulator: each sums its values with their weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tableapi import AggregateFunction, DataTypes, ListView, MapView, Row, TableAggregateFunction, udaf, udtaf


class WeightedSum(AggregateFunction):
    """Update the first of two values by position."""

    def accumulate(self, acc: Any, value: int, weight: int) -> None:
        acc[0] += value * weight
        acc[1] += weight

    def get_value(self, acc: Any) -> str:
        return f"{acc[0]}/{acc[1]}"


class OfRow(WeightedSum):
    def create_accumulator(self) -> Row:
        return Row(0, 0)

    def get_accumulator_type(self) -> str:
        return "ROW<f0 BIGINT, f1 BIGINT>"


class OfList(WeightedSum):
    def create_accumulator(self) -> list[int]:
        return [0, 0]


class OfNames(WeightedSum):
    def create_accumulator(self) -> Row:
        return Row(total=0, weight=0)

    def accumulate(self, acc: Any, value: int, weight: int) -> None:
        acc.total += value * weight
        acc["weight"] += weight


class OfFactory(OfNames):
    def create_accumulator(self) -> Row:
        return Row("total", "weight")(0, 0)


class OfNestedRows(WeightedSum):
    def create_accumulator(self) -> list[Row]:
        return [Row(0), Row(0)]

    def accumulate(self, acc: Any, value: int, weight: int) -> None:
        acc[0][0] += value * weight
        acc[1][0] += weight

    def get_value(self, acc: Any) -> str:
        return f"{acc[0][0]}/{acc[1][0]}"


class OfListView(WeightedSum):
    def create_accumulator(self) -> Row:
        return Row(ListView(), 0)

    def accumulate(self, acc: Any, value: int, weight: int) -> None:
        acc[0].add(value * weight)
        acc[1] += weight

    def get_value(self, acc: Any) -> str:
        return f"{sum(acc[0].get())}/{acc[1]}"

    def get_accumulator_type(self) -> Any:
        views = DataTypes.LIST_VIEW(DataTypes.BIGINT())
        return DataTypes.ROW([DataTypes.FIELD("f0", views), DataTypes.FIELD("f1", DataTypes.BIGINT())])


class OfMapView(WeightedSum):
    def create_accumulator(self) -> Row:
        return Row(MapView(), 0)

    def accumulate(self, acc: Any, value: int, weight: int) -> None:
        if value in acc[0]:
            acc[0][value] += weight
        else:
            acc[0][value] = weight
        acc[1] += weight

    def get_value(self, acc: Any) -> str:
        return f"{sum(value * count for value, count in acc[0].items())}/{acc[1]}"

    def get_accumulator_type(self) -> Any:
        views = DataTypes.MAP_VIEW(DataTypes.BIGINT(), DataTypes.BIGINT())
        return DataTypes.ROW([DataTypes.FIELD("f0", views), DataTypes.FIELD("f1", DataTypes.BIGINT())])


@dataclass
class Sums:
    total: int = 0
    weights: list[int] = field(default_factory=list)


class OfDataClass(WeightedSum):
    def create_accumulator(self) -> Sums:
        return Sums()

    def accumulate(self, acc: Any, value: int, weight: int) -> None:
        acc.total += value * weight
        acc.weights.append(weight)

    def get_value(self, acc: Any) -> str:
        return f"{acc.total}/{sum(acc.weights)}"


class Extremes(TableAggregateFunction):
    """Return the least and the greatest value."""

    def create_accumulator(self) -> Row:
        return Row(None, None)

    def accumulate(self, acc: Any, value: int, weight: int) -> None:
        acc[0] = value if acc[0] is None else min(acc[0], value)
        acc[1] = value if acc[1] is None else max(acc[1], value)

    def emit_value(self, acc: Any) -> Iterator[Row]:
        yield Row("least", acc[0])
        yield Row(end="greatest", value=acc[1])

    def get_result_type(self) -> str:
        return "ROW<`end` STRING, `value` BIGINT>"


class ExtremesOfViews(Extremes):
    def create_accumulator(self) -> Any:
        return MapView()

    def accumulate(self, acc: Any, value: int, weight: int) -> None:
        acc.put("least", min(acc.get("least", value), value))
        acc.put("greatest", max(acc.get("greatest", value), value))

    def emit_value(self, acc: Any) -> Iterator[Any]:
        yield from [Row(*item) for item in acc.items()]


AGGREGATES = {
    kind.__name__: udaf(kind())
    for kind in (OfRow, OfList, OfNames, OfFactory, OfNestedRows, OfListView, OfMapView, OfDataClass)
}
TABLE_AGGREGATES = {kind.__name__: udtaf(kind()) for kind in (Extremes, ExtremesOfViews)}
