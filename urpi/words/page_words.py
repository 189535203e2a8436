"""The page's own words: what stands on it besides what the referee says."""

from typing import Final

PAGE_WORDS: Final[tuple[str, ...]] = ()
"""Every message of the page."""
