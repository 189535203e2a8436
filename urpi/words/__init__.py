"""The one place for everything a player reads (gettext)."""
