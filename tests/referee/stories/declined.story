freecompany A2:L,B6:D L6D6 L0D0 L
throw g-; wait 300; lift A2; wait 300; put A1; wait 1000; press light long; wait 300
