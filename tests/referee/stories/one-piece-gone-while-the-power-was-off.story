finkel A1:L,B3:L,B6:D,C2:D L5D5 L0D0 D
wait 1000; read A1 B6 C2; wait 13000
