"""The sections of the migration page, to which messages about unsupported PyFlink features refer."""

from __future__ import annotations


class Section:
    """The headings of the page on coming from PyFlink."""

    STREAMS = "Streams"
    JAVA = "Java"
    MODULES = "Modules and models"
    PLANS = "Stored plans"
    CONFIGURATION = "Files and configuration of the job"
    CONNECTORS = "Connectors"
    CATALOGS = "Catalogs"
    SQL = "SQL of Flink"
    TABLES_IN_TEXT = "Tables in SQL text"
    FUNCTIONS = "Functions"


def see(section: str) -> str:
    """Return the reference that ends a message, with a blank before it.

    >>> see(Section.MODULES)
    ' See docs/coming-from-pyflink.md#modules-and-models.'
    """
    return f" See docs/coming-from-pyflink.md#{section.lower().replace(' ', '-')}."
