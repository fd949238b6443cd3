"""Hashes and ciphers.

Sources: ``hash.scala`` and ``misc.scala`` of Spark 4.3; https://spark.apache.org/docs/latest/api/sql/#hash-functions
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir import types as t
from ir.casts import has_part
from ir.expressions import ResolvedExpression
from ir.functions.builder import as_method, as_property, scalar
from ir.functions.definition import Construct, FluentForm, FunctionDefinition, Mismatch, Shown
from ir.inference import CallContext
from ir.inference.arguments import ANY, BYTES, INTEGER, STRING, Family, Where
from ir.inference.inputs import positional, varying
from ir.inference.results import maybe_null, never_null, nullable_if_arguments
from ir.inference.type_inference import TypeStrategy
from ir.literals import literal
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts, FamilyFacts

# A string counts as its bytes in UTF-8.
_BYTES = Family("STRING or BYTES", (t.CharacterType, t.BytesType), (t.BYTES,))


def _digest(
    name: str,
    sql: str,
    returns: TypeStrategy,
    doc: str,
    example: tuple[str, str],
    fluent: tuple[FluentForm, ...] = (),
    **facts: Unpack[FamilyFacts],
) -> FunctionDefinition:
    return scalar(
        name, positional(_BYTES, names="value"), returns, sql=sql, fluent=fluent, doc=doc, example=example, **facts
    )


MD5 = _digest(
    "md5",
    "MD5",
    nullable_if_arguments(t.STRING),
    "The MD5 digest of a byte string, or of a string in UTF-8, in 32 hexadecimal digits.",
    ("MD5('Spark')", "'8cde774d6f7333752ed72cacddb05126'"),
    as_property("md5"),
)
SHA1 = _digest(
    "sha1",
    "SHA1",
    nullable_if_arguments(t.STRING),
    "The SHA-1 digest of a byte string, or of a string in UTF-8, in 40 hexadecimal digits.",
    ("SHA1('Spark')", "'85f5955f4b27a9a4c2aab6ffe5d7189fc298b92c'"),
    as_property("sha1"),
    also=("SHA",),
)
SHA2 = scalar(
    "sha2",
    positional(_BYTES, INTEGER, names="value bits"),
    maybe_null(t.STRING),
    sql="SHA2",
    fluent=as_method("sha2", "hash_length"),
    doc="The SHA-2 digest of value with the given number of bits, in hexadecimal digits; bits is 224, 256, 384, 512 "
    "or, for 256, 0. NULL for any other number of bits.",
    example=("SHA2('Spark', 224)", "'dbeab94971678d36af2195851c0f7485775a2a7c60073d62fc04549c'"),
    difference="Flink fails if bits is not 224, 256, 384 or 512.",
)


def _define_sha(bits: int) -> FunctionDefinition:
    def as_sha2(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
        return call(SHA2, (*arguments, literal(bits)))

    return scalar(
        f"sha{bits}",
        positional(_BYTES, names="value"),
        maybe_null(t.STRING),
        sql=f"SHA{bits}",
        fluent=as_property(f"sha{bits}"),
        canonical=as_sha2,
        in_spark=False,
        doc=f"The SHA-2 digest of value with {bits} bits, in {bits // 4} hexadecimal digits: ``SHA2(value, {bits})``.",
        example=(f"SHA{bits}('a') = SHA2('a', {bits})", "TRUE"),
    )


SHA224 = _define_sha(224)
SHA256 = _define_sha(256)
SHA384 = _define_sha(384)
SHA512 = _define_sha(512)
CRC32 = _digest(
    "crc32",
    "CRC32",
    nullable_if_arguments(t.BIGINT),
    "The CRC-32 checksum of a byte string, or of a string in UTF-8.",
    ("CRC32('Spark')", "1557323817"),
    in_flink=False,
)


def _is_hashable(data_type: LogicalType) -> bool:
    """Whether values have a hash. Maps and VARIANTs have none, because equal values can be stored differently.

    Spark's analyzer accepts shapes, too, but then fails to plan the query.
    """
    unhashable = (t.MapType, t.VariantType, t.SpatialType)
    return not isinstance(data_type, unhashable) and all(map(_is_hashable, data_type.children))


_HASHED = Where(ANY, lambda given: _is_hashable(given.data_type), "any type without MAP, VARIANT and shapes")


def _hash(
    name: str, data_type: LogicalType, doc: str, example: tuple[str, str], **facts: Unpack[Facts]
) -> FunctionDefinition:
    return scalar(
        name,
        varying(_HASHED),
        never_null(data_type),
        sql=name.upper(),
        in_flink=False,
        doc=doc,
        example=example,
        **facts,
    )


def _mismatch_of_map(context: CallContext, position: int) -> str | None:
    return "HASH_MAP_TYPE" if has_part(context.argument_types[position], t.MapType) else None


HASH = _hash(
    "hash",
    t.INT,
    "The 32-bit Murmur3 hash of the values; never NULL.",
    ("HASH('Spark', 3)", "263409674"),
    mismatch=Mismatch(of_argument=_mismatch_of_map),
)
XXHASH64 = _hash(
    "xxhash64",
    t.BIGINT,
    "The 64-bit xxHash of the values; never NULL.",
    ("XXHASH64('Spark', 3)", "3927298778299583050"),
    mismatch=Mismatch(of_argument=_mismatch_of_map),
)

# --- keyed hashes and encryption --------------------------------------------------------------------------------------

HMAC = scalar(
    "hmac",
    positional(BYTES, BYTES, STRING, optional=1, names="key message algorithm"),
    maybe_null(t.BYTES),
    sql="HMAC",
    in_flink=False,
    doc="The HMAC of message with key, as bytes, computed with algorithm, SHA-256 by default.",
    example=("SUBSTR(HEX(HMAC('key', 'message')), 1, 8)", "'6E9EF29B'"),
    shown=Shown(defaults=(None, None, "SHA-256")),
)


def _cipher(
    name: str, arguments: str, optional: int, doc: str, example: tuple[str, str], **facts: Unpack[Facts]
) -> FunctionDefinition:
    kinds = {"mode": STRING, "padding": STRING}
    names = arguments.split()
    return scalar(
        name,
        positional(*[kinds.get(argument, BYTES) for argument in names], optional=optional, names=arguments),
        maybe_null(t.BYTES),
        sql=name.upper(),
        in_flink=False,
        doc=doc,
        example=example,
        **facts,
    )


_KEY = "'abcdefghijklmnop'"
_DECRYPTION = "value key mode padding additional_data"
AES_ENCRYPT = _cipher(
    "aes_encrypt",
    "value key mode padding initialization_vector additional_data",
    4,
    "The value encrypted with AES and key. In modes with an initialization vector, the result begins with the vector, "
    "which is random unless given.",
    (f"HEX(AES_ENCRYPT('Spark', {_KEY}, 'ECB'))", "'E07BF450A0B1EA77D4780A0F668D73FB'"),
    shown=Shown(defaults=(None, None, "GCM", "DEFAULT", "", "")),
)
AES_DECRYPT = _cipher(
    "aes_decrypt",
    _DECRYPTION,
    3,
    "The value decrypted with AES and key; an error if it cannot be decrypted.",
    (f"CAST(AES_DECRYPT(AES_ENCRYPT('Spark', {_KEY}), {_KEY}) AS STRING)", "'Spark'"),
    can_fail=True,
    shown=Shown(defaults=(None, None, "GCM", "DEFAULT", "")),
)
TRY_AES_DECRYPT = _cipher(
    "try_aes_decrypt",
    _DECRYPTION,
    3,
    "The value decrypted with AES and key; NULL if it cannot be decrypted.",
    (f"TRY_AES_DECRYPT(X'00', {_KEY})", "NULL"),
    shown=Shown(defaults=(None, None, "GCM", "DEFAULT", "")),
)
