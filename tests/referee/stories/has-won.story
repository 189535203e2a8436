finkel A7:L,B2:D L0D6 L6D0 L
throw g---; wait 300; off A7; wait 1500
