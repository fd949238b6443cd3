"""A function that needs a package that workers may lack."""

from __future__ import annotations

import attrs

from tableapi import udf


@udf
def attributes_of(text: str) -> int:
    """Return how many attributes a class made by attrs has."""

    @attrs.define
    class Holder:
        value: str

    return len(attrs.fields(Holder)) + len(text)
