freecompany
wait 500
