skiryuk
throw gs-; wait 900; throw ggs; wait 500
