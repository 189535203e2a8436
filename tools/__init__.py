"""What make and the tests use, besides the package."""
