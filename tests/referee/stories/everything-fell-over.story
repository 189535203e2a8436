finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L
throw gs--; wait 300; lift A3 B1 B4 B6 C4; wait 3000
