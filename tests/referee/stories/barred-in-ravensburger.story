ravensburger B2:L,C2:D L9D9 L0D0 L
throw 3; wait 300; lift B2; wait 300; put C3; wait 3000
