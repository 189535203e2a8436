"""What serves any page: server, guard, operations with their descriptions, and limits."""
