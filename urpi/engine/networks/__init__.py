"""The networks that are part of the program: their file format, and one file for each rule set."""
