freecompany
wait 500; first dark; wait 300
