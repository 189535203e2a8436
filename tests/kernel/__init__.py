"""The service under a real Linux kernel: `make test-kernel`.

A User-Mode Linux kernel with gpio-sim and CUSE is built once and kept; in it `urpi serve` runs
on lgpio and a real ``/dev/gpiochip0``, luma on a real ``/dev/i2c-1``, and the hub's serial
line is a pseudo-terminal. What stands at the far ends are the virtual table's people.
"""
