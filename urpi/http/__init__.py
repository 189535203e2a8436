"""What serves any page: server, guard, sessions, operations with their descriptions, and limits."""
