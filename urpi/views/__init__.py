"""Views: what the OLED shows, drawn from a snapshot; they decide nothing."""
