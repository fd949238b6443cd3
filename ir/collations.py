"""Collations: rules for the equality and order of strings, and their names as Spark parses and shows them.

A collation is UTF8_BINARY, UTF8_LCASE, or one of ICU for a language: UNICODE, the root, or a locale such as ``de`` or
``sr_Cyrl_SRB``. Suffixes say what an ICU collation ignores: case (``_CI``), accents (``_AI``), trailing blanks
(``_RTRIM``). Spark's table function COLLATIONS lists all collations.
"""

from __future__ import annotations

from ir.errors import ValidationException, did_you_mean

BINARY_COLLATION = "UTF8_BINARY"
_LOWER_CASE = "UTF8_LCASE"
_IGNORED_BLANKS = "RTRIM"

_LOCALES = """
UNICODE af am ar ar_SAU as az be bg blo bn bo br bs bs_Cyrl ca ceb chr cs cy da de de_AUT dsb dz ee el en en_USA
eo es et fa fa_AFG ff ff_Adlm fi fil fo fr fr_CAN fy ga gl gu ha haw he he_ISR hi hr hsb hu hy id id_IDN ig is
it ja ka kk kk_Arab kl km kn ko kok ku ky lb lij lkt ln lo lt lv mk ml mn mr ms mt my nb nb_NOR ne nl nn no nso
om or pa pa_Guru pa_Guru_IND pl ps pt ro ru sa se si sk sl smn sq sr sr_Cyrl sr_Cyrl_BIH sr_Cyrl_MNE sr_Cyrl_SRB
sr_Latn sr_Latn_BIH sr_Latn_SRB st sv sw ta te th tk tn to tr ug uk ur uz vi wae wo xh yi yo zh zh_Hans
zh_Hans_CHN zh_Hans_SGP zh_Hant zh_Hant_HKG zh_Hant_MAC zh_Hant_TWN zu
"""
LOCALES: tuple[str, ...] = tuple(_LOCALES.split())
"""The locales that Spark's ICU supports."""

_LOCALE_OF = {locale.upper(): locale for locale in LOCALES}
# The first specifier of each pair is the default.
_SPECIFIERS = (("CS", "CI"), ("AS", "AI"), ("", _IGNORED_BLANKS))
_NAMESPACE = "SYSTEM.BUILTIN."
_WORDS = ("as", "is", "no", "or", "to")
_CACHE: dict[str, str] = {}


def collation_name(text: str) -> str:
    """Return the name of a collation as Spark shows it, for any case and order of specifiers.

    >>> collation_name("unicode_ai_ci"), collation_name("DE_cs"), collation_name("system.builtin.utf8_lcase")
    ('UNICODE_CI_AI', 'de', 'UTF8_LCASE')

    Raises:
        ValidationException: there is no such collation.
    """
    found = _CACHE.get(text)
    if found is None:
        found = _parse(text)
        if found is None:
            raise ValidationException(
                f"There is no collation {text!r}. There are UTF8_BINARY and UTF8_LCASE, UNICODE, and locales such as "
                "de or fr_CAN; after these, _CI and _AI say that case and accents make no difference, after all, "
                "_RTRIM that blanks at the end make none." + did_you_mean(text, _usual_names()),
                condition="COLLATION_INVALID_NAME",
            )
        _CACHE[text] = found
    return found


def _usual_names() -> list[str]:
    return [
        BINARY_COLLATION,
        _LOWER_CASE,
        *[f"{one}{rest}" for one in LOCALES for rest in ("", "_CI", "_AI", "_CI_AI")],
    ]


def _parse(text: str) -> str | None:
    name = text.upper().removeprefix(_NAMESPACE)
    plain = name.removesuffix(f"_{_IGNORED_BLANKS}")
    if plain in (BINARY_COLLATION, _LOWER_CASE):
        return name
    parts = name.split("_")
    # The longest locale wins, since its last part could also be a specifier.
    for length in range(len(parts), 0, -1):
        locale = _LOCALE_OF.get("_".join(parts[:length]))
        if locale is not None:
            return _add_specifiers(locale, parts[length:])
    return None


def _add_specifiers(locale: str, given: list[str]) -> str | None:
    kept = [locale]
    for usual, other in _SPECIFIERS:
        of_kind = [one for one in given if one and one in (usual, other)]
        if len(of_kind) > 1:
            return None
        if of_kind == [other]:
            kept.append(other)
    known = {one for pair in _SPECIFIERS for one in pair if one}
    return "_".join(kept) if all(one in known for one in given) else None


def collation_text(name: str) -> str:
    """Return the name of a collation for SQL, quoted if the locale equals a keyword."""
    return f"`{name}`" if name in _WORDS else name


def ignores_blanks(name: str) -> bool:
    """Whether a collation ignores trailing blanks."""
    return name.endswith(f"_{_IGNORED_BLANKS}")


def tells_case_but_no_accents(name: str) -> bool:
    """Whether a collation ignores accents but not case, so that Spark cannot search in its strings."""
    plain = name.removesuffix(f"_{_IGNORED_BLANKS}")
    return plain.endswith("_AI") and not plain.endswith("_CI_AI")


def is_of_utf8(name: str) -> bool:
    """Whether a collation compares strings character by character (UTF8_BINARY, UTF8_LCASE), as patterns require."""
    return name in (BINARY_COLLATION, _LOWER_CASE)
