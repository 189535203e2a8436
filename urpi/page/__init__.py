"""The page: a web server beside the referee, the API that browsers use, and the static files."""
