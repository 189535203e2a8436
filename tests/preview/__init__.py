"""A page with every text of a language in its place beside the English one."""
