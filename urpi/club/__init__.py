"""The club: receiving games, refereeing them again, ratings, tournaments and its page."""
