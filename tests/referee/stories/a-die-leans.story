finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L
die 1 rolling; die 2 rolling; die 3 rolling; die 4 rolling; wait 400; die 1 settled g thrown; die 2 settled s thrown; die 3 settled - thrown; die 4 cocked; wait 1500
