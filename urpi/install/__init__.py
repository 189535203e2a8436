"""Installing and examining a machine: cards, the systemd service, updates and the doctor."""
