finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L
throw gs-s; wait 300; lift B1; wait 400; lift B4; wait 50; put B4; wait 3000
