"""Update of the catalogues in `urpi/words/locale` from the messages in the code."""
