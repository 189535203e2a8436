bell first=dark
wait 300
