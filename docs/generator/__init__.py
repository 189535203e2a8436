"""Generated pages of the documentation, written by `make generated`.

They are in git, so that they can be read on the project's site without a build. A test fails if one
of them is out of date.
"""

from docs.generator.pages import PAGES, write

__all__ = ["PAGES", "write"]
