"""Line breaks in long lines."""

from __future__ import annotations

import pytest

from serializer.long_lines import LONGEST, break_long_lines
from serializer.spark_notation import SPARK

NAME = "`a_name_of_forty_characters_in_all_of_it`"


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        # A line that fits stays unbroken.
        (f"    WHERE {NAME} = 1 AND {NAME} = 2", [f"    WHERE {NAME} = 1 AND {NAME} = 2"]),
        # The AND of BETWEEN does not join conditions.
        (
            f"    WHERE {NAME} BETWEEN 1 AND 2 AND " + " AND ".join([f"{NAME} = {n}" for n in range(4)]),
            [f"    WHERE {NAME} BETWEEN 1 AND 2", *[f"        AND {NAME} = {n}" for n in range(4)]],
        ),
        # Break at OR first, and never inside parentheses or quotes.
        (
            f"WHERE ({NAME} = 1 AND {NAME} = 2) AND {NAME} = ' OR ' OR {NAME} IN (1, 2) OR " + " AND ".join([NAME] * 5),
            [
                f"WHERE ({NAME} = 1 AND {NAME} = 2)",
                f"    AND {NAME} = ' OR '",
                f"    OR {NAME} IN (1, 2)",
                f"    OR {NAME}",
                *[f"        AND {NAME}"] * 4,
            ],
        ),
        # Each clause of a window gets its own line, and its keys as many lines as they need.
        (
            f"    CAST(SUM({NAME}) OVER (PARTITION BY {NAME}, {NAME} ORDER BY {NAME} ROWS 2 PRECEDING) AS INT) AS `x`,",
            [
                f"    CAST(SUM({NAME}) OVER (",
                f"        PARTITION BY {NAME}, {NAME}",
                f"        ORDER BY {NAME}",
                "        ROWS 2 PRECEDING",
                "    ) AS INT) AS `x`,",
            ],
        ),
        (
            f"SELECT RANK() OVER (PARTITION BY {', '.join([NAME] * 3)} ORDER BY {NAME})",
            [
                "SELECT RANK() OVER (",
                f"    PARTITION BY {NAME}, {NAME},",
                f"        {NAME}",
                f"    ORDER BY {NAME}",
                ")",
            ],
        ),
        (
            f"    LISTAGG({NAME}, ', ') WITHIN GROUP (ORDER BY {NAME} DESC, {NAME}) FILTER (WHERE {NAME}) AS `x`",
            [
                f"    LISTAGG({NAME}, ', ') WITHIN GROUP (",
                f"        ORDER BY {NAME} DESC, {NAME}",
                f"    ) FILTER (WHERE {NAME}) AS `x`",
            ],
        ),
        # A list of short values fills its lines.
        (
            f"WHERE {NAME} IN ({', '.join(['1000'] * 40)})",
            [
                f"WHERE {NAME} IN (",
                "    " + ", ".join(["1000"] * 17) + ",",
                "    " + ", ".join(["1000"] * 17) + ",",
                "    " + ", ".join(["1000"] * 6),
                ")",
            ],
        ),
    ],
)
def test_lines_break_at_clauses_and_operators(line: str, lines: list[str]) -> None:
    made = break_long_lines(line, SPARK).split("\n")
    assert made == lines
    assert len(line) <= LONGEST or max(map(len, made)) <= LONGEST


def test_only_blanks_change() -> None:
    line = "SELECT " + " OR ".join([f"f({NAME}, CASE WHEN {NAME} THEN 'a  b' ELSE {NAME} END)"] * 9)
    assert "".join(break_long_lines(line, SPARK).split()) == "".join(line.split())
    assert break_long_lines(line, SPARK).count("'a  b'") == 9
