skiryuk B5:L,B7:D,C1:D L6D5 L0D0 L
throw gs-; wait 300; lift B5; wait 300; lift B7; wait 50; put B7; wait 3000
