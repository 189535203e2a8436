"""`urpi demo` with the firmware's images as dice and hub: `python -m tools.firmware_demo`."""
