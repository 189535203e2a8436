"""The service: connects referee, journal, views and devices, at a board or a virtual table."""
