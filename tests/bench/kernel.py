"""From a piece's last edge to the OLED, in a Linux kernel; how long the service takes to stop.

`python -m tests.bench.kernel`: the scenes of `make test-kernel` in which time counts, judged.
"""

from tests.kernel.__main__ import main

if __name__ == "__main__":
    main(["--judge-times", "game", "service"])
