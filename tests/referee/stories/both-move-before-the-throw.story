finkel A4:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L
lift A4; lift C4; wait 200; put A3; put C3; wait 3000
