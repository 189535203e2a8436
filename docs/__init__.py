"""The documentation: pages to read, and `docs.generator`, which writes those that code makes."""
