"""Configuration of Sphinx; ``python -m docs.website`` writes the pages that it reads."""

from __future__ import annotations

import re
from pathlib import Path

_VERSION = (Path(__file__).parents[2] / "tableapi" / "_version.py").read_text(encoding="utf-8")

project = "tableapi"
author = copyright = "the authors of tableapi"
release = re.search(r'__version__ = "([^"]+)"', _VERSION)[1]  # type: ignore[index]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
nitpicky = True

# As forges make them, so that links hold in the repository and on the site.
myst_heading_anchors = 6
highlight_language = "text"
# Examples may leave out a part by an ellipsis, which is no token of their language.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = f"tableapi {release}"
html_static_path = ["static"]
templates_path = ["templates"]
html_css_files = ["site.css"]
html_copy_source = False
html_use_index = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": ["view"], "navigation_with_keys": False}
pygments_style = "friendly"
pygments_dark_style = "monokai"
