"""Converting whole columns between Arrow and Python equals converting each value, for every type, slice and NULL."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import pyarrow as pa
import pytest

from grammar.type_texts import parse_type
from tableapi.spark.runtime import columns, failures, functions, table_rows, wrong_values
from tableapi.spark.runtime.columns import column_as, column_of_any, values_of
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
    # Old versions of pyarrow do not, and workers may have one of them.
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
    assert columns._convert_plain_values(Bare(column)) == column.to_pylist()


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


INTEGERS = (pa.int8(), pa.int16(), pa.int32(), pa.int64())
OF_TIME = (pa.date32(), pa.time64("us"), pa.duration("us"))
# Values of a type to combine with others.
VALID: dict[pa.DataType, list[Any]] = {
    **{data_type: [1, 2] for data_type in INTEGERS},
    pa.date32(): [dt.date(2024, 1, 1)],
    pa.time64("us"): [dt.time(1)],
    pa.duration("us"): [dt.timedelta(1)],
    pa.binary(): [b"y"],
    pa.list_(pa.int64()): [[1], []],
}


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
        # Arrow itself would truncate or convert these values.
        *[(data_type, value) for data_type in INTEGERS for value in (1.5, Decimal("1.5"), float("nan"), True)],
        *[(data_type, value) for data_type in INTEGERS for value in ("1", b"1", dt.date.min, float("inf"))],
        *[(data_type, value) for data_type in OF_TIME for value in (1, 1.0, True, UUID(int=1), "2024-01-01")],
        (pa.date32(), dt.datetime(2024, 1, 1, 1)),
        (pa.date32(), dt.datetime(2024, 1, 1, tzinfo=dt.UTC)),
        (pa.binary(), "x"),
        (pa.list_(pa.int64()), [1.5]),
        (pa.list_(pa.list_(pa.int64())), [[1], [1.5]]),
        (pa.struct([("a", pa.int32())]), (1.5,)),
        (pa.map_(pa.int64(), pa.string()), {1.5: "x"}),
        (pa.map_(pa.string(), pa.int64()), {"x": 1.5}),
        (pa.map_(pa.string(), pa.date32()), {"x": 1}),
        (pa.map_(pa.string(), pa.int64()), {None: 1}),
    ],
)
def test_values_of_a_wrong_type(data_type: pa.DataType, value: Any) -> None:
    # Also beside other values, which can make Arrow accept them.
    for values in ([value], [None, value], [*VALID.get(data_type, []), value]):
        with pytest.raises(wrong_values.WRONG):
            column_of_any(values, data_type)


@pytest.mark.parametrize(
    ("data_type", "value", "expected"),
    [
        *[
            (data_type, value, 3)
            for data_type in INTEGERS
            for value in (3.0, Decimal("3.0"), np.float32(3), np.int8(3))
        ],
        (pa.int64(), 2.0**60, 2**60),
        (pa.int64(), np.uint64(7), 7),
        (pa.list_(pa.int64()), [1, 2.0], [1, 2]),
        (pa.list_(pa.int64()), np.array([1.0, 2.0]), [1, 2]),
        (pa.map_(pa.int64(), pa.int8()), {2.0: np.int64(3)}, [(2, 3)]),
        (pa.date32(), dt.datetime(2024, 1, 2), dt.date(2024, 1, 2)),
        (pa.float64(), 3, 3.0),
        (pa.binary(), bytearray(b"x"), b"x"),
    ],
)
def test_values_that_a_type_has_exactly(data_type: pa.DataType, value: Any, expected: Any) -> None:
    for before in ([], [None], VALID.get(data_type, [])):
        assert column_of_any([*before, value], data_type).to_pylist()[-1] == expected


@pytest.mark.parametrize(
    ("column", "data_type", "expected"),
    [
        (pa.array([1.0, None]), pa.int64(), [1, None]),
        (pa.array([1, None], pa.int8()), pa.int64(), [1, None]),
        (pa.array([None, None]), pa.list_(pa.int64()), [None, None]),
        (pa.array(["a", "a"]).dictionary_encode(), pa.string(), ["a", "a"]),
        (pa.array(["a"], pa.large_string()), pa.string(), ["a"]),
        (pa.array([dt.datetime(2024, 1, 1), None], pa.timestamp("ns")), pa.date32(), [dt.date(2024, 1, 1), None]),
        (pa.array([dt.datetime(2024, 1, 1)], pa.timestamp("ns")), pa.timestamp("us"), [dt.datetime(2024, 1, 1)]),
        (pa.array([1]), pa.decimal128(5, 2), [Decimal(1)]),
        (pa.array([[1.0]]), pa.list_(pa.int32()), [[1]]),
        (pa.array([{"a": 1.0}]), pa.struct([("a", pa.int64())]), [{"a": 1}]),
    ],
)
def test_columns_whose_values_a_type_has(column: pa.Array, data_type: pa.DataType, expected: list[Any]) -> None:
    made = column_as(column, data_type)
    assert (made.type, made.to_pylist()) == (data_type, expected)


@pytest.mark.parametrize(
    ("column", "data_type"),
    [
        (pa.array([1.5]), pa.int64()),
        (pa.array([300]), pa.int8()),
        (pa.array(["1"]), pa.int64()),
        (pa.array([1]), pa.string()),
        (pa.array([b"x"]), pa.string()),
        (pa.array(["x"]), pa.binary()),
        (pa.array([True]), pa.int64()),
        (pa.array([1]), pa.bool_()),
        (pa.array([1], pa.int32()), pa.date32()),
        (pa.array([1]), pa.timestamp("us")),
        (pa.array([1.5]), pa.decimal128(5, 2)),
        (pa.array([dt.datetime(2024, 1, 1, 1)]), pa.date32()),
        (pa.array([dt.datetime(2024, 1, 1)]), pa.int64()),
        (pa.array([dt.datetime(2024, 1, 1)]), pa.timestamp("us", "UTC")),
        (pa.array([dt.datetime(2024, 1, 1)], pa.timestamp("us", "UTC")), pa.timestamp("us")),
        (pa.array([["1"]]), pa.list_(pa.int64())),
        (pa.array([{"a": "1"}]), pa.struct([("a", pa.int64())])),
        (pa.array([[("a", "1")]], pa.map_(pa.string(), pa.string())), pa.map_(pa.string(), pa.int64())),
    ],
)
def test_columns_whose_values_a_type_does_not_have(column: pa.Array, data_type: pa.DataType) -> None:
    with pytest.raises(wrong_values.WRONG):
        column_as(column, data_type)


WORDS = pa.list_(pa.struct([("word", pa.string()), ("length", pa.int32())]))


class Counted(NamedTuple):
    """A row as a named tuple."""

    word: str
    length: int


@dataclasses.dataclass
class Word:
    """A row as a data class."""

    word: str
    length: int


def words_of(text: str | None) -> Any:
    """Return rows in each form that a table function may return, selected by the text."""
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
        case "long":
            return [("long", 4, "more")]
        case "lists":
            return [["a", 1], ["bc", 2]]
        case "named":
            return [Counted("a", 1), ("bc", 2)]
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
        (["a", "b", "named", "c"], (), [[("a", 1)], [("b", 1)], [("a", 1), ("bc", 2)], [("c", 1)]]),
        (
            ["a b", "classes", "c", "lists"],
            (),
            [[("a", 1), ("b", 1)], [("a", 1), ("bc", 2)], [("c", 1)], [("a", 1), ("bc", 2)]],
        ),
    ],
)
@pytest.mark.parametrize("together", [1, 2, 3, 1500])
def test_rows_of_a_table_function(
    texts: list[str | None],
    required: tuple[int, ...],
    expected: list[Any],
    together: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # From this many rows on, they are split into columns together.
    monkeypatch.setattr(table_rows, "_TOGETHER", together)
    made = functions.table(program(required), [pa.array(texts, pa.string())])
    made.validate(full=True)
    assert made.type == WORDS
    assert [[tuple(row.values()) for row in rows] for rows in made.to_pylist()] == expected


@pytest.mark.parametrize("together", [1, 2, 3, 1500])
@pytest.mark.parametrize("wrong", ["short", "long"])
def test_errors_name_the_call_with_the_wrong_row(together: int, wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_rows, "_TOGETHER", together)
    for texts in (["a b", wrong, "c"], ["a", "b", "c", wrong], ["a b c", wrong, "classes"], ["classes", wrong]):
        with pytest.raises(Exception, match=rf"(?s)words_of.*\"'{wrong}'\".*2 fields"):
            functions.table(program(), [pa.array(texts)])


VALUES: list[tuple[pa.DataType, list[Any]]] = [
    (pa.string(), ["a", "", "é"]),
    (pa.int32(), [1, 2, 3]),
    (pa.int64(), [1, (2,), {"a": 3}]),
    (pa.int64(), [(1,), 2, [3]]),
    (pa.float64(), [1, 2.5, True]),
    (pa.decimal128(5, 2), [Decimal("1.1"), 2]),
    (pa.date32(), [dt.date(2024, 1, 1), dt.datetime(2024, 1, 2)]),
    (pa.list_(pa.int64()), [([1, 2],), ([],), (None,)]),
    (pa.string(), [None, "a", (None,)]),
]


@pytest.mark.parametrize("together", [1, 2, 1500])
@pytest.mark.parametrize(("data_type", "rows"), VALUES)
def test_rows_of_one_column_may_be_values(
    data_type: pa.DataType, rows: list[Any], together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_rows, "_TOGETHER", together)
    of_row = pa.struct([("a", data_type)])
    made = functions.Program("one", lambda _: iter(rows), pa.list_(of_row), make_row=pair)
    found = functions.table(made, [pa.array([1, 2])])
    found.validate(full=True)
    convert = to_arrow(of_row)
    assert convert is not None
    assert found.to_pylist() == [pa.array([convert(row) for row in rows], of_row).to_pylist()] * 2


def test_errors_quote_the_given_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_rows, "_TOGETHER", 2)
    made = functions.Program(
        "one", lambda text: iter([1, 2, text, 4, 5]), pa.list_(pa.struct([("a", pa.int64())])), make_row=pair
    )
    with pytest.raises(failures.FunctionFailed, match=r"\"'x'\".*the row 'x' is no value of its type ROW<`a` BIGINT>"):
        functions.table(made, [pa.array(["x", "y"])])


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("has_null", [False, True])
def test_the_row_is_named_that_a_function_fails_on(count: int, has_null: bool) -> None:
    calls: list[Any] = []

    def fails(*given: Any) -> int:
        calls.append(given)
        if len(calls) == 3:
            # Inside an iteration, StopIteration would end it.
            raise StopIteration("no more")
        return 1

    made = functions.Program(
        "fails", fails, pa.int64(), required=(0,), has_arguments=count > 0, make_row=lambda names, values: values
    )
    column = pa.array([7, None, 8, 9, 10] if has_null else [7, 8, 9, 10])
    with pytest.raises(failures.FunctionFailed) as raised:
        functions.scalar(made, [column] * max(count, 1))
    told = json.loads(str(raised.value).removeprefix(failures.MARK))
    assert (told["arguments"], told["error"]) == (["9"] * count, "StopIteration: no more")


# --- error messages for invalid values -------------------------------------------------------------------------------

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
        ("x", pa.int64(), "the value 'x' is no value of its type BIGINT: an integer is an int, but str was returned"),
        (300, pa.int8(), "the value 300 is no value of its type TINYINT: it is out of range"),
        (2**70, pa.int64(), f"the value {2**70} is no value of its type BIGINT: it is out of range"),
        (
            True,
            pa.int64(),
            "the value True is no value of its type BIGINT: an integer is an int, but bool was returned",
        ),
        ([1, "x"], pa.list_(pa.int64()), "its type ARRAY<BIGINT>: 'x' of Python's type str is no BIGINT"),
        ({"a": [1, 2**40]}, pa.map_(pa.string(), pa.list_(pa.int32())), f"{2**40} is out of the range of INT"),
        ((1, ("x",)), PAIR, "its type ROW<`a` BIGINT, `b` ROW<`c` DATE>>: 'x' of Python's type str is no DATE"),
        ((1, 2, 3), PAIR, "a row of the 2 fields ['a', 'b'] is wanted, but one of 3 was returned"),
    ],
)
def test_messages_about_wrong_values(value: Any, data_type: pa.DataType, message: str) -> None:
    with pytest.raises(wrong_values.WRONG) as raised:
        column_of_any([value], data_type)
    assert message in wrong_values.wrong_value("the value", value, data_type, raised.value)
