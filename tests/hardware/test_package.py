import subprocess
import sys


def test_import_needs_no_pi_library():
    lines = "import sys, urpi.hardware; print({'lgpio', 'RPi', 'smbus2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
