finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L
throw gs--; wait 300; lift A3; wait 1000; throw g---; wait 300; press light short
