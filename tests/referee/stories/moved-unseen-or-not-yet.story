skiryuk A4:L,B3:D,C4:D L6D5 L0D0 D
throw g--; wait 3000; throw -gg; wait 300
