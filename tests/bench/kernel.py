"""Time from a piece's last edge to the OLED in a Linux kernel, and the time to stop the service.

`python -m tests.bench.kernel`: the scenes of `make test-kernel` that measure times, with limits.
"""

from tests.kernel.__main__ import main

if __name__ == "__main__":
    main(["--judge-times", "game", "service"])
