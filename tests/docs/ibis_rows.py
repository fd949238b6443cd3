"""What Ibis returns for the left side of the page for Ibis users, as ``ibis_rows.json``.

Run ``PYTHONPATH=. PEERS/bin/python -m tests.docs.ibis_rows`` with the Python of an environment that has Ibis and DuckDB
(``pip install 'ibis-framework[duckdb]==12.0.0'``), after a change of the page. The tests compare the file with the rows
of the right side.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, NamedTuple

PAGE: Final = Path(__file__).parents[2] / "docs" / "coming-from-ibis.md"
ROWS: Final = Path(__file__).with_name("ibis_rows.json")
SECTIONS: Final = ("Tables", "Groups", "Joins", "Windows", "Expressions")


class Line(NamedTuple):
    """A line of a table on the page: the code for Ibis, and the code to write here."""

    section: str
    ibis: str
    here: str


def lines() -> Iterator[Line]:
    """Yield the lines that the tests compare."""
    for section in SECTIONS:
        text = PAGE.read_text(encoding="utf-8").split(f"\n## {section}\n")[1].split("\n## ")[0]
        rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("|")]
        for there, here, _ in rows[2:]:
            yield Line(section, there.strip().strip("`"), here.strip().strip("`").replace("\\|", "|"))


def _at(hour: int, day: int = 1) -> dt.datetime:
    return dt.datetime(2024, 1, day, hour)


# The rows of the tables ``v`` and ``u`` of the page; ``t`` has the first three columns of ``v``.
V: Final = [
    (1, "x", _at(10), 1.0, ["p", "q"], {"k": 7}, {"x": 1, "y": "u"}),
    (2, "y x", _at(11), -2.6, ["r"], {"k": 8}, {"x": 2, "y": "v"}),
    (2, "x", _at(12), 2.4, ["s"], {"j": 9}, {"x": 3, "y": None}),
    (4, None, _at(13), None, None, None, None),
    (None, "12", _at(14), 4.0, ["t"], {"k": 1}, {"x": 5, "y": "w"}),
    (7, " X", _at(15), 4.0, ["t"], {"k": 1}, {"x": 5, "y": "w"}),
]
U: Final = [(1, "x", _at(10)), (2, "z", _at(11)), (2, None, _at(12, 2)), (9, "x", _at(13, 3))]


def plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, (dt.datetime, dt.date)):
        return value.isoformat()
    if isinstance(value, (Decimal, float)):
        return round(float(value), 9)
    return value


def in_order(rows: list[list[Any]], code: str) -> list[list[Any]]:
    """Return rows in the order of their texts, unless the code sorts them."""
    is_sorted = code.startswith("t.order_by(") and "distinct(" not in code
    return rows if is_sorted else sorted(rows, key=repr)


def _main() -> None:
    import ibis
    import pyarrow as pa
    from ibis import _

    con = ibis.duckdb.connect()
    types = {
        "a": pa.int32(),
        "b": pa.string(),
        "ts": pa.timestamp("us"),
        "d": pa.float64(),
        "tags": pa.list_(pa.string()),
        "m": pa.map_(pa.string(), pa.int32()),
        "r": pa.struct({"x": pa.int32(), "y": pa.string()}),
    }
    columns = [pa.array(column, type_) for column, type_ in zip(zip(*V, strict=True), types.values(), strict=False)]
    v = ibis.memtable(pa.table(columns, names=list(types)))
    columns = [pa.array(column, type_) for column, type_ in zip(zip(*U, strict=True), types.values(), strict=False)]
    u = ibis.memtable(pa.table(columns, names=["ua", "ub", "uts"]))
    scope = {"ibis": ibis, "_": _, "v": v, "t": v.select("a", "b", "ts"), "u": u}
    found = {}
    for line in lines():
        made = eval(line.ibis, dict(scope))
        if line.section == "Expressions":
            made = v.select(value=made)
        result = con.to_pyarrow(made)
        values = [row.values() for row in result.to_pylist()] if isinstance(result, pa.Table) else [[result.as_py()]]
        found[line.ibis] = in_order([[plain(value) for value in row] for row in values], line.ibis)
    text = ",\n".join(f" {json.dumps(code)}: {json.dumps(rows)}" for code, rows in found.items())
    ROWS.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
    print(f"Ibis {ibis.__version__}: rows of {len(found)} lines")


if __name__ == "__main__":
    _main()
