"""`urpi club demo`: a whole club on this machine, with simulated players, in a temporary folder."""
