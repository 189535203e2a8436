"""How Sphinx builds these pages: `make docs`. Pages are Markdown, read by MyST.

Nothing is fetched: no intersphinx, no fonts from elsewhere. Every warning is an error.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def _version() -> str:
    found = re.search(r'__version__ = "(.+)"', (ROOT / "urpi" / "__init__.py").read_text("utf-8"))
    assert found is not None
    return found[1]


project = "urpi"
author = "The urpi authors"
project_copyright = "the urpi authors; MIT licence"
version = release = _version()

extensions = ["myst_parser"]
exclude_patterns = ["generator", "**/__pycache__"]
nitpicky = True

# Links go to headings down to this depth, by the text that a forge makes of them.
myst_heading_anchors = 3

# What a block of code is in stands at its beginning; without that it is plain text.
highlight_language = "none"

html_theme = "furo"
html_title = "urpi"
html_static_path = ["_static"]
html_css_files = ["urpi.css"]
html_copy_source = False
html_use_index = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#8a3324",
        "color-brand-content": "#1d4a73",
    },
    "dark_css_variables": {
        "color-brand-primary": "#e8b07a",
        "color-brand-content": "#8fbce6",
    },
}
