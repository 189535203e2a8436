"""What is sent to the page, as pure functions from values to objects of texts and numbers."""
