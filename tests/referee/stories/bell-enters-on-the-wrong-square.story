bell - L7D7 L0D0 L first=light
throw gsg; wait 300; put A4; wait 3000
