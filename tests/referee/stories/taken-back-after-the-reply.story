finkel A4:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L
throw gs--; wait 300; lift A4; wait 300; put A2; wait 1500; throw g---; wait 500; lift C4; wait 200; put C3; wait 1500; lift A2; wait 300; put A4; wait 3000
