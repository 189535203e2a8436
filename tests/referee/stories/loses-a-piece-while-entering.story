finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L
throw gsg-; wait 300; put A2; wait 100; lift C4; wait 5000
