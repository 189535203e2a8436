finkel A1:L,A3:L,B4:D L5D6 L0D0 L
throw gs--; wait 300; lift A3; wait 300; lift A1; wait 50; put A1; wait 3000
