coursework A3:L,C4:D L6D6 L0D0 L
throw ---; wait 300; lift A3; wait 300; put B1; wait 3000
