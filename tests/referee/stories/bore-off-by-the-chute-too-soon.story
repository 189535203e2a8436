finkel A7:L,B2:L L5D7 L0D0 L
throw gs--; wait 300; off A7; wait 3000
