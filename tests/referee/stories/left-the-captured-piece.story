finkel A1:L,B2:D L6D6 L0D0 L
throw gs--; wait 300; lift A1; wait 300; lift B2; wait 200; put B3; wait 200; put B2; wait 2600
