import subprocess
import sys


def test_importing_the_devices_needs_no_library_of_a_pi():
    lines = "import sys, urpi.devices; print({'lgpio', 'RPi', 'smbus2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
