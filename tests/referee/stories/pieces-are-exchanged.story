finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L
sense B1 light; sense B4 dark; throw gs--; wait 300
lift B1 B4; wait 500; put B1 B4; wait 60; sense B1 dark; sense B4 light; wait 3000
