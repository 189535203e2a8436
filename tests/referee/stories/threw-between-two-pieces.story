freecompany A4:D,B4:D,B7:L,C1:D L6D4 L0D0 D
throw gs; wait 800; lift B4; wait 300; put B3; wait 100; throw g-; wait 100
