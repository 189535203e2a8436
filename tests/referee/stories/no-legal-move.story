finkel A7:L,A8:L L0D7 L5D0 L
throw gsgs; wait 300
