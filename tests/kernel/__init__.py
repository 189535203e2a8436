"""The service under a real Linux kernel: `make test-kernel`.

A User-Mode Linux kernel with gpio-sim and CUSE is built once and kept. In it `urpi serve` runs on
lgpio with a real ``/dev/gpiochip0``, luma with a real ``/dev/i2c-1``, and the hub's serial line is
a pseudo-terminal. The other ends are operated by the virtual table's players.
"""
