"""The catalogues of `urpi/words/locale`: messages found in the code, kept in .po, compiled."""
