"""Rewriting of hashes, numerals of other bases and random values to Flink's SQL."""

from __future__ import annotations

from ir import types as t
from ir.expressions import Call, ResolvedExpression
from ir.flink.arguments import Forms, constant_integer, with_casts
from ir.flink.casts import NoForm
from ir.functions import hashing, numerals, random

_SHA2_BITS = (224, 256, 384, 512)


def _of_text(part: Call) -> ResolvedExpression:
    if isinstance(part.arguments[0].data_type, t.BytesType | t.NullType):
        raise NoForm(f"its {part.function.sql_name} takes text, and no bytes")
    return with_casts(part)


def _sha2(part: Call) -> ResolvedExpression:
    if constant_integer(part.arguments[1]) not in _SHA2_BITS:
        raise NoForm("its SHA2 fails unless the number of bits is 224, 256, 384 or 512")
    return _of_text(part)


def _without_seed(part: Call) -> ResolvedExpression:
    if part.arguments:
        raise NoForm(f"with a seed, its {part.function.sql_name} has other values or none")
    return part


def _random_integer(part: Call) -> ResolvedExpression:
    if len(part.arguments) > 1:
        raise NoForm("with a seed, its RAND_INTEGER has other values")
    return with_casts(part)


FORMS: Forms = {
    random.RAND_INTEGER: _random_integer,
    **dict.fromkeys((hashing.MD5, hashing.SHA1, numerals.HEX), _of_text),
    hashing.SHA2: _sha2,
    **dict.fromkeys((random.RAND, random.UUID), _without_seed),
}
