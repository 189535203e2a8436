skiryuk A7:L',B1:D,C1:D L6D5 L0D0 L
throw g--; wait 300; lift A7; wait 300; lift B1; wait 50; put B1; wait 3000
