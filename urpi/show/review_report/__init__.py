"""Reports of reviewed games: as text, as JSON and as a page, in every language."""
