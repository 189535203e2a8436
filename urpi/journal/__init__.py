"""The journal: facts and decisions on disk, and what is read back from them."""
