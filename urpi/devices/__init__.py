"""Devices: gpiozero switches and buttons, the serial dice hub, the OLED."""
