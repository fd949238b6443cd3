"""Declared schemas without Spark."""

from __future__ import annotations

import pytest

from tableapi import DataTypes, ResolvedSchema, Schema, SqlParserException, TableException, ValidationException
from tableapi.expressions import col

B = Schema.new_builder


def test_a_schema_of_everything() -> None:
    other = B().column("z", DataTypes.TIMESTAMP(6)).primary_key("z").build()
    schema = (
        B()
        .column("a b", "decimal(10, 2) not null")
        .with_comment("money")
        .from_fields(["c", "d"], [DataTypes.INT(), DataTypes.STRING()])
        .from_row_data_type(DataTypes.ROW([DataTypes.FIELD("e", DataTypes.BYTES(), "raw")]))
        .from_resolved_schema(ResolvedSchema.of(["f"], [DataTypes.BOOLEAN()]))
        .from_schema(other)
        .column_by_expression("g", col("c") + 1)
        .column_by_expression("h", "UPPER(d)")
        .column_by_metadata("i", "STRING", "file_path", True)
        .watermark("z", "z - INTERVAL '1' DAY")
        .build()
    )
    assert repr(schema) == (
        "(\n  `a b` DECIMAL(10, 2) NOT NULL,\n  `c` INT,\n  `d` STRING,\n  `e` BYTES,\n  `f` BOOLEAN,\n"
        "  `z` TIMESTAMP,\n  `g` AS plus(c, 1),\n  `h` AS UPPER(d),\n  `i` STRING METADATA FROM 'file_path' VIRTUAL,\n"
        "  WATERMARK FOR `z` AS z - INTERVAL '1' DAY,\n  PRIMARY KEY (`z`) NOT ENFORCED\n)"
    )
    assert [column.comment for column in schema.columns[:4]] == ["money", None, None, "raw"]
    assert B().from_schema(schema).build() == schema
    assert B().build() != schema
    named = B().column("a", "INT").primary_key_named("pk", "a").build()
    assert "CONSTRAINT `pk` PRIMARY KEY (`a`) NOT ENFORCED" in repr(named)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: B().column("a", "INTT"),
            SqlParserException,
            r"FLINK has no type 'INTT'. Did you mean 'INT'\?",
        ),
        (lambda: B().column("a", 3), ValidationException, r"The type of the column 'a' must be a type"),
        (lambda: B().column("", "INT"), ValidationException, r"A name is expected"),
        (lambda: B().column("a", "INT").column("A", "INT").build(), ValidationException, r"Ambiguous column name: A"),
        (lambda: B().column("a", "INT").primary_key("b").build(), ValidationException, r"primary key names .* 'b'"),
        (lambda: B().column("a", "INT").primary_key("a").primary_key("a"), ValidationException, r"Multiple primary"),
        (lambda: B().column("a", "INT").primary_key(), ValidationException, r"at least one column"),
        (lambda: B().watermark("a", "a").build(), ValidationException, r"watermark names the column 'a'"),
        (lambda: B().from_fields(["a"], []), ValidationException, r"1 names and 0 types"),
        (lambda: B().from_row_data_type(DataTypes.INT()), ValidationException, r"takes a ROW type"),
        (lambda: B().from_schema("x"), ValidationException, r"from_schema takes a Schema"),
        (lambda: B().column_by_expression("a", 3), ValidationException, r"computed by an expression or SQL text"),
        (lambda: B().column_by_metadata("ofset", "INT"), TableException, r"the metadata 'ofset'.*file_path.*'offset'"),
        (lambda: B().column_by_metadata("leader-epoch", "INT"), TableException, r"does not read the leader epoch"),
        (lambda: B().with_comment("x"), ValidationException, r"there is none yet"),
    ],
)
def test_mistakes_are_refused_when_they_are_made(wrong: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()  # type: ignore[operator]
