finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L
throw g---; wait 300; lift A3; wait 200; put A2; wait 300; lift A2; wait 100; put A1; wait 3000
