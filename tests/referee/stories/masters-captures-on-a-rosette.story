masters B2:L,B4:D L6D6 L0D0 L
throw gs-; wait 300; lift B2; wait 300; lift B4; wait 200; put B4; wait 1000
