finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L
throw gs--; wait 900; throw ggg-; wait 300
