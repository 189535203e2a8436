finkel A3:L,B1:L,B5:D,B6:L,C4:D L4D5 L0D0 L
throw gsgs; wait 300; lift B1; wait 300; lift B5; wait 200; put B5; wait 1500; throw g---; wait 500; lift B5; wait 300; put B1; wait 300; put B5; wait 3000
