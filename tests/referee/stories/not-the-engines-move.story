finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L seats=engine:hard,person
throw gs--; wait 300; plan light A3-A1; wait 300; lift B6; wait 300; put B8; wait 3000
