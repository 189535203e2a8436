skiryuk
throw gsg; wait 900; throw --g; wait 500
