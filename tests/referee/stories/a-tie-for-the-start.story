finkel
throw gs--; wait 900; throw --gs; wait 500
