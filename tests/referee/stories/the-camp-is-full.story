skiryuk A2:LLLL,A3:L,C1:D L2D6 L0D0 L
throw g--; wait 300; lift A3; wait 300; lift A2; wait 50; put A2; wait 3000
