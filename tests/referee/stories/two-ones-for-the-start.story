finkel3[start=one]
throw g--; wait 900; throw --s; wait 500
