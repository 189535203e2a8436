murray[start=one]
throw gs-; wait 900; throw --s; wait 500
