"""The JSON document of a query's tree, for programs in any language.

A document has flat lists instead of nested objects. A part refers to an earlier part by its number in a list. So a
shared part is stored once, cycles are impossible, and neither writer nor reader recurses. The fields of an object
follow from the attrs fields of its class (``classes``), so a new operation or expression needs no code here. The JSON
Schema in ``tree.schema.json`` is generated from the same fields (``json_schema``).
"""

DOCUMENT = "tableapi query tree"
VERSION = 1
"""The version of documents. It grows with every change that a reader of the previous version would misread."""
