"""The referee, pure: facts in, decisions out. No clock, files, randomness or hardware."""
