"""Programs with string functions, as in a report or a cleaning job."""

from __future__ import annotations

from decimal import Decimal as D

from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expressions import call, col, concat_ws, lit, null_of
from tests.programs.program import program

program(
    "text_parts_of_addresses",
    lambda t: t.customers.select(
        col("name"),
        col("street").split_index(" ", 2).alias("number"),
        col("street").left(3).alias("begin"),
        col("zip_code").right(2).alias("end"),
        col("zip_code").lpad(7, "0").alias("padded"),
        col("street").replace("St", "Street").alias("spelt"),
    ),
    rows=[
        ("Ada", "1", "Lim", "15", "0010115", "Lime Street 1"),
        ("Bo", "2", "Oak", "01", "0075001", "Oak Rd 2"),
        ("Cy", None, None, "02", "0075002", None),
        (None, "4", "Elm", None, None, "Elm Av 4"),
        ("Di", "5", "Ash", "17", "0010117", "Ash Ln 5"),
    ],
)
program(
    "text_searched",
    lambda t: t.customers.select(
        col("city").starts_with("B").alias("b"),
        col("city").ends_with("s").alias("s"),
        col("city").instr("r").alias("r"),
        lit("i").locate(col("city")).alias("i"),
        col("city").translate("ai", "41").alias("leet"),
        col("city").repeat(2).alias("twice"),
    ).distinct(),
    rows=[
        (True, False, 3, 5, "Berl1n", "BerlinBerlin"),
        (False, True, 3, 4, "P4r1s", "ParisParis"),
        (None,) * 6,
    ],
    dataframe=lambda d: d.customers.select(
        f.startswith("city", f.lit("B")).alias("b"),
        f.endswith("city", f.lit("s")).alias("s"),
        f.instr("city", "r").alias("r"),
        f.expr("locate('i', city)").alias("i"),
        f.translate("city", "ai", "41").alias("leet"),
        f.repeat("city", 2).alias("twice"),
    ).distinct(),
)
program(
    "text_matched_by_patterns",
    lambda t: t.customers.filter(col("street").similar("%[a-z] _%")).select(
        col("street").regexp("S[a-z]").alias("is_street"),
        col("street").similar("(Lime|Oak) %").alias("is_tree"),
        col("street").regexp_replace("[aeiou]", "*").alias("hidden"),
        col("street").regexp_count("[A-Z]").alias("capitals"),
        col("street").regexp_instr("[0-9]").alias("place"),
    ),
    rows=[
        (True, True, "L*m* St 1", 2, 9),
        (False, True, "O*k Rd 2", 2, 8),
        (False, False, "Elm Av 4", 2, 8),
        (False, False, "Ash Ln 5", 2, 8),
    ],
    dataframe=lambda d: d.customers.filter(f.rlike("street", f.lit(r"\A(?:(?s:.*)[a-z] .(?s:.*))\z"))).select(
        f.rlike("street", f.lit("S[a-z]")).alias("is_street"),
        f.rlike("street", f.lit(r"\A(?:(Lime|Oak) (?s:.*))\z")).alias("is_tree"),
        f.regexp_replace("street", "[aeiou]", "*").alias("hidden"),
        f.regexp_count("street", f.lit("[A-Z]")).alias("capitals"),
        f.regexp_instr("street", f.lit("[0-9]")).alias("place"),
    ),
)
program(
    "text_extracted_by_patterns",
    lambda t: t.customers.select(
        col("street").regexp_extract("([0-9]+)$", 1).alias("number"),
        col("street").regexp_extract_all("[A-Z][a-z]", 0).alias("words"),
        col("street").regexp_substr("Rd|Av").alias("kind"),
        col("street").split(" ").cardinality.alias("parts"),
    ),
    rows=[
        ("1", ["Li", "St"], None, 3),
        ("2", ["Oa", "Rd"], "Rd", 3),
        (None, None, None, None),
        ("4", ["El", "Av"], "Av", 3),
        ("5", ["As", "Ln"], None, 3),
    ],
    dataframe=lambda d: d.customers.select(
        f.regexp_extract("street", "([0-9]+)$", 1).alias("number"),
        f.regexp_extract_all("street", f.lit("[A-Z][a-z]"), f.lit(0)).alias("words"),
        f.regexp_substr("street", f.lit("Rd|Av")).alias("kind"),
        f.size(f.split("street", " ")).alias("parts"),
    ),
    no_flink="regexpExtract(street, '([0-9]+)$', 1) has no text in Flink's SQL that means the same: Flink returns the "
    "whole match if no group is given, and NULL if there is no match.",
)
program(
    "text_in_other_codes",
    lambda t: t.customers.filter(col("id") < 3).select(
        col("name").to_base64.alias("coded"),
        col("name").to_base64.from_base64.alias("decoded"),
        col("name").encode("utf-8").decode("utf-8").alias("bytes"),
        col("street").url_encode().alias("url"),
        col("street").url_encode().url_decode().alias("back"),
        (col("id") + 64).chr.alias("letter"),
        lit("http://a.b/p?x=1").parse_url("QUERY", "x").alias("x"),
    ),
    rows=[
        ("QWRh", "Ada", "Ada", "Lime+St+1", "Lime St 1", "A", "1"),
        ("Qm8=", "Bo", "Bo", "Oak+Rd+2", "Oak Rd 2", "B", "1"),
    ],
)
program(
    "text_joined_and_formatted",
    lambda t: (
        t.customers.select(
            concat_ws(", ", col("street"), col("zip_code"), col("city")).alias("address"),
            lit("%s (%d)").printf(col("name"), col("id")).alias("label"),
            (col("id") % 2 + 1).elt("even", "odd").alias("parity"),
        )
        .filter(col("address").btrim("0123456789") != "")
        .select(col("address").upper_case, col("label"), col("parity"))
    ),
    rows=[
        ("LIME ST 1, 10115, BERLIN", "Ada (1)", "odd"),
        ("OAK RD 2, 75001, PARIS", "Bo (2)", "even"),
        ("75002, PARIS", "Cy (3)", "odd"),
        ("ELM AV 4", "null (4)", "even"),
        ("ASH LN 5, 10117, BERLIN", "Di (5)", "odd"),
    ],
)
program(
    "text_hidden_by_named_arguments",
    lambda t: t.customers.select(
        call("mask", col("zip_code"), digitChar="#").alias("zip"),
        call("mask", col("street"), lit("?").as_argument("otherChar"), upperChar=null_of(DataTypes.STRING())).alias(
            "s"
        ),
    ).distinct(),
    rows=[
        ("#####", "Lxxx?Sx?n"),
        ("#####", "Oxx?Rx?n"),
        ("#####", None),
        (None, "Exx?Ax?n"),
        ("#####", "Axx?Lx?n"),
    ],
    no_flink="mask(zip_code, 'X', 'x', '#') has no text in Flink's SQL that means the same: Flink has no such function",
)
program(
    "text_of_numbers_and_back",
    lambda t: t.orders.filter(col("amount").is_not_null).select(
        col("order_id"),
        call("to_char", col("amount"), "S000D00").alias("written"),
        call("to_number", call("to_char", col("amount"), "S000D00"), "S000D00").alias("amount"),
        call("format_number", col("amount"), 1).alias("rounded"),
        call("to_char", col("ordered_at"), "yyyy-MM").alias("month"),
    ),
    rows=[
        (100, "+020.00", D("20.00"), "20.0", "2024-01"),
        (101, "+005.50", D("5.50"), "5.5", "2024-02"),
        (102, "+099.99", D("99.99"), "100.0", "2024-03"),
        (104, "-001.25", D("-1.25"), "-1.2", "2023-12"),
        (105, "+000.00", D("0.00"), "0.0", "2024-01"),
    ],
    no_flink="Flink has no such function",
)
program(
    "text_grouped_by_a_part",
    lambda t: (
        t.customers.group_by(col("zip_code").left(2).alias("area"))
        .select(col("area"), col("id").count.alias("customers"))
        .filter(col("area").is_not_null)
        .select(col("area").rpad(5, "x"), col("customers"))
    ),
    rows=[("10xxx", 2), ("75xxx", 2)],
    dataframe=lambda d: (
        d.customers.groupBy(f.left("zip_code", f.lit(2)).alias("area"))
        .agg(f.count("id").alias("customers"))
        .filter(f.col("area").isNotNull())
        .select(f.rpad("area", 5, "x").alias("_c0"), "customers")
    ),
)
program(
    "text_of_no_rows",
    lambda t: t.nothing.select(
        col("b").lpad(col("a"), "x").alias("`p`"),
        col("b").split_index(",", col("a")).alias("window"),
        col("b").rtrim("x").ltrim().alias("EXPR$0"),
    ),
    rows=[],
    no_flink="lpad(b, a, 'x') has no text in Flink's SQL that means the same: the result is NULL there where the "
    "length is negative or what is filled up with is empty, so that both must be constants.",
)
