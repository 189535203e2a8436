"""What every domain may use: errors, reading of inputs, JSON, names, lazy packages."""
