blitz B2:L,B3:D L4D4 L0D0 L
throw g---; wait 300; lift B2; wait 300; lift B3; wait 200; put B3; wait 1000
