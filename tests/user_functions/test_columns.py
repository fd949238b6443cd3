"""Whole columns between Arrow and Python: the same as value by value, for every type, slice and NULL."""

from __future__ import annotations

import dataclasses
import datetime as dt
from decimal import Decimal
from typing import Any, NamedTuple

import pyarrow as pa
import pytest

from grammar.type_names import parse_type
from tableapi.spark.runtime import columns, functions, wrong_values
from tableapi.spark.runtime.columns import column_of_any, values_of
from tableapi.spark.runtime.values import from_arrow, to_arrow
from tableapi.spark.types import to_spark

PAIR = pa.struct([("a", pa.int64()), ("b", pa.struct([("c", pa.date32())]))])
ROW = pa.struct([("a", pa.int64()), ("b", pa.list_(pa.string())), ("m", pa.map_(pa.string(), pa.int32()))])
COLUMNS: list[tuple[pa.DataType, list[Any]]] = [
    (pa.int64(), [1, None, 3]),
    (pa.int64(), [1, 2]),
    (pa.bool_(), [True, False]),
    (pa.float64(), [1.5, float("inf")]),
    (pa.string(), ["a", None, "é"]),
    (pa.binary(), [b"\x00", None]),
    (pa.decimal128(5, 2), [Decimal("1.1"), None, 2]),
    (pa.timestamp("us"), [dt.datetime(2024, 1, 1), None]),
    (pa.timestamp("us"), [dt.datetime.min, dt.datetime.max, dt.datetime(1969, 12, 31, 23, 59, 59, 999999)]),
    (pa.timestamp("us"), [None, None]),
    (pa.date32(), [dt.date.min, None, dt.date.max, dt.date(1969, 12, 31)]),
    (pa.decimal128(38, 18), [Decimal("-0.000000000000000001"), Decimal(0), None, Decimal(10**19)]),
    (ROW, [None, (1, ["x", None], {"k": 1}), (None, None, None)]),
    (ROW, []),
    (pa.struct([("d", pa.decimal128(5, 2))]), [(Decimal(1),), None]),
    (pa.list_(ROW), [None, [], [(1, [], {}), None]]),
    (pa.list_(pa.string()), [["a", None], None, [], ["é"]]),
    (pa.list_(pa.list_(pa.int8())), [[[1], None], None, []]),
    (pa.map_(pa.string(), ROW), [{"k": (1, [], {})}, None]),
]


def pair(names: Any, given: Any) -> tuple[Any, Any]:
    return tuple(names), tuple(given)


@pytest.mark.parametrize("takes_lists_apart", [True, False])
@pytest.mark.parametrize(("data_type", "values"), COLUMNS)
def test_both_directions(
    data_type: pa.DataType, values: list[Any], takes_lists_apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Old versions of pyarrow do not, and workers may have one.
    monkeypatch.setattr(columns, "_takes_lists_apart", lambda: takes_lists_apart)
    made = column_of_any(values, data_type)
    convert = to_arrow(data_type)
    assert made.equals(pa.array(values if convert is None else [convert(value) for value in values], data_type))
    made.validate(full=True)
    back = from_arrow(data_type, pair)
    for column in (made, made.slice(1), made.slice(0, 1), pa.concat_arrays([made, made]).slice(2)):
        expected = [value if back is None else back(value) for value in column.to_pylist()]
        assert values_of(column, pair) == expected


def test_a_list_that_is_null_may_have_values_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_takes_lists_apart", lambda: False)
    mask = pa.array([False, True, False])
    hidden = pa.ListArray.from_arrays(pa.array([0, 1, 3, 4], pa.int32()), pa.array([1, 2, 3, 4]), mask=mask)
    assert values_of(hidden, pair) == [[1], None, [4]]
    assert values_of(hidden.slice(1), pair) == [None, [4]]


def test_times_without_numpy() -> None:
    class Bare:
        """A column in a worker without numpy."""

        def __init__(self, column: Any) -> None:
            self.type, self.view = column.type, column.view

        def to_numpy(self, zero_copy_only: bool) -> Any:
            raise ImportError("numpy")

    column = pa.array([dt.datetime.min, None, dt.datetime.max], pa.timestamp("us"))
    assert columns._plain_values(Bare(column)) == column.to_pylist()


def test_times_that_python_does_not_have() -> None:
    late = pa.array([0, (dt.datetime.max - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1) + 1], pa.int64())
    with pytest.raises((ValueError, OverflowError)):
        values_of(late.cast(pa.timestamp("us")), pair)
    with pytest.raises((ValueError, OverflowError)):
        values_of(pa.array([0, 3_000_000], pa.int32()).cast(pa.date32()), pair)


class Named(NamedTuple):
    a: int
    b: str


@dataclasses.dataclass
class Data:
    a: int
    b: str


def test_rows_are_written_in_several_ways() -> None:
    row = pa.struct([("a", pa.int64()), ("b", pa.string())])
    given = [Named(1, "x"), Data(2, "y"), [3, "z"], None]
    expected = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}, {"a": 3, "b": "z"}, None]
    assert column_of_any(given, row).to_pylist() == expected
    assert column_of_any([*given, {"b": "v", "a": 4}], row).to_pylist() == [*expected, {"a": 4, "b": "v"}]
    assert column_of_any([5, (6,)], pa.struct([("a", pa.int64())])).to_pylist() == [{"a": 5}, {"a": 6}]


@pytest.mark.parametrize(
    ("data_type", "value"),
    [
        (pa.string(), 5),
        (pa.string(), b"x"),
        (pa.int64(), "x"),
        (pa.struct([("a", pa.int64()), ("b", pa.int64())]), (1,)),
        (pa.list_(pa.string()), "abc"),
        (pa.list_(pa.string()), ["a", b"b"]),
        (pa.list_(pa.string()), ["a", 5]),
        (pa.list_(pa.struct([("a", pa.string())])), [(5,)]),
    ],
)
def test_what_is_no_value_of_the_type(data_type: pa.DataType, value: Any) -> None:
    with pytest.raises((TypeError, ValueError, pa.ArrowException)):
        column_of_any([value], data_type)


WORDS = pa.list_(pa.struct([("word", pa.string()), ("length", pa.int32())]))


@dataclasses.dataclass
class Word:
    """A row as a data class."""

    word: str
    length: int


def words_of(text: str | None) -> Any:
    """Return rows in each way in which a table function may, by the text that it is given."""
    match text:
        case "nothing":
            return None
        case "one":
            return ("one", 3)
        case "classes":
            return [Word("a", 1), Word("bc", 2)]
        case "dict":
            return [{"length": 4, "word": "dict"}]
        case "short":
            return [("short",)]
    return ((word, len(word)) for word in (text or "").split())


def program(required: tuple[int, ...] = ()) -> functions.Program:
    return functions.Program("words_of", words_of, WORDS, required=required, make_row=pair)


@pytest.mark.parametrize(
    ("texts", "required", "expected"),
    [
        ([], (), []),
        (["a bc", "", "d"], (), [[("a", 1), ("bc", 2)], [], [("d", 1)]]),
        (["nothing", "one"], (), [[], [("one", 3)]]),
        ([None, "a", None], (0,), [[], [("a", 1)], []]),
        (["classes"], (), [[("a", 1), ("bc", 2)]]),
        (["classes", "a", "nothing", "one"], (), [[("a", 1), ("bc", 2)], [("a", 1)], [], [("one", 3)]]),
        (["dict", "a"], (), [[("dict", 4)], [("a", 1)]]),
    ],
)
def test_rows_of_a_table_function(texts: list[str | None], required: tuple[int, ...], expected: list[Any]) -> None:
    made = functions.table(program(required), [pa.array(texts, pa.string())])
    made.validate(full=True)
    assert made.type == WORDS
    assert [[tuple(row.values()) for row in rows] for rows in made.to_pylist()] == expected


def test_the_call_is_named_whose_row_is_none() -> None:
    with pytest.raises(Exception, match=r"(?s)words_of.*'short'.*2 fields"):
        functions.table(program(), [pa.array(["a b", "short", "c"])])


# --- what is said of values that a type does not have ----------------------------------------------------------------

TYPES = (
    *("BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10, 2)", "STRING", "BYTES"),
    *("DATE", "TIMESTAMP", "TIMESTAMP_LTZ", "INTERVAL DAY TO SECOND", "ARRAY<ARRAY<INT>>", "MAP<STRING, DATE>"),
    "ROW<`a` INT, `b ``c` ROW<`d` STRING>>",
)


@pytest.mark.parametrize("text", TYPES)
def test_types_have_the_names_of_sql(text: str) -> None:
    from pyspark.sql.pandas.types import to_arrow_type

    data_type = parse_type(text)
    assert wrong_values.sql_name(to_arrow_type(to_spark(data_type), timezone="UTC")) == data_type.as_summary_string()


@pytest.mark.parametrize(
    ("value", "data_type", "message"),
    [
        ("x", pa.int64(), "the value 'x' is no value of its type BIGINT: it is of Python's type str"),
        (300, pa.int8(), "the value 300 is no value of its type TINYINT: it is out of range"),
        (2**70, pa.int64(), f"the value {2**70} is no value of its type BIGINT: it is out of range"),
        (True, pa.int64(), "the value True is no value of its type BIGINT: it is of Python's type bool"),
        ([1, "x"], pa.list_(pa.int64()), "its type ARRAY<BIGINT>: 'x' of Python's type str is no BIGINT"),
        ({"a": [1, 2**40]}, pa.map_(pa.string(), pa.list_(pa.int32())), f"{2**40} is out of the range of INT"),
        ((1, ("x",)), PAIR, "its type ROW<`a` BIGINT, `b` ROW<`c` DATE>>: 'x' of Python's type str is no DATE"),
        ((1, 2, 3), PAIR, "a row of the 2 fields ['a', 'b'] is wanted, but one of 3 was returned"),
    ],
)
def test_what_is_said_of_wrong_values(value: Any, data_type: pa.DataType, message: str) -> None:
    with pytest.raises(wrong_values.WRONG) as raised:
        column_of_any([value], data_type)
    assert message in wrong_values.wrong_value("the value", value, data_type, raised.value)
