finkel3
throw ggs; wait 900; throw --g; wait 500
