"""What people see and read: texts in every language, pictures, the menu, and reports."""
