"""Cards that configure themselves: the files for the first boot of Raspberry Pi OS."""
