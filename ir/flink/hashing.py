"""Rewriting of hashes, numerals of other bases and random values to Flink's SQL."""

from __future__ import annotations

from ir import types as t
from ir.call_expressions import Call
from ir.expressions import ResolvedExpression
from ir.flink.arguments import Forms, add_casts, constant_integer
from ir.flink.casts import NoForm
from ir.functions import hashing, numerals, random

_SHA2_BITS = (224, 256, 384, 512)


def _hash_text(part: Call) -> ResolvedExpression:
    if isinstance(part.arguments[0].data_type, t.BytesType | t.NullType):
        raise NoForm(f"its {part.function.sql_name} takes text, and no bytes")
    return add_casts(part)


def _sha2(part: Call) -> ResolvedExpression:
    if constant_integer(part.arguments[1]) not in _SHA2_BITS:
        raise NoForm("its SHA2 fails unless the number of bits is 224, 256, 384 or 512")
    return _hash_text(part)


def _drop_seed(part: Call) -> ResolvedExpression:
    if part.arguments:
        raise NoForm(f"with a seed, its {part.function.sql_name} has other values or none")
    return part


def _random_integer(part: Call) -> ResolvedExpression:
    if len(part.arguments) > 1:
        raise NoForm("with a seed, its RAND_INTEGER has other values")
    return add_casts(part)


FORMS: Forms = {
    random.RAND_INTEGER: _random_integer,
    **dict.fromkeys((hashing.MD5, hashing.SHA1, numerals.HEX), _hash_text),
    hashing.SHA2: _sha2,
    **dict.fromkeys((random.RAND, random.UUID), _drop_seed),
}
