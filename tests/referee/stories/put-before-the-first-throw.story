finkel
put B4; wait 3000
