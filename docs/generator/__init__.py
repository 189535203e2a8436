"""The pages that code makes, written by `make generated` and kept in git.

They are kept so that they can be read where the project is browsed, without a build; a test says
when one is stale.
"""

from docs.generator.pages import PAGES, write

__all__ = ["PAGES", "write"]
