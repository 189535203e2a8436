finkel A3:L,B1:L,B3:D,B4:D,B6:L,C4:D L4D4 L0D0 L
throw g---; wait 300; lift B1; wait 200; put B2; wait 300; lift B2; wait 100; lift B3; wait 200; put B3; wait 4000
