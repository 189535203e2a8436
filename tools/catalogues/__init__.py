"""Update of the catalogues in `urpi/show/words/locale` from the messages in the code."""
