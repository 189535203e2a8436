"""The JSON documents that the page receives, made by pure functions from values."""
