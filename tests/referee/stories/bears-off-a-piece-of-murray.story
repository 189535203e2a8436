murray A3:L',B2:D L6D6 L0D0 L
throw gs-; wait 300; off A3; wait 3000
