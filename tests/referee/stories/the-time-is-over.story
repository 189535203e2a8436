finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L clock=1+5
throw g---; wait 20000; lift A3; put A2; wait 400; throw g---; wait 59600
