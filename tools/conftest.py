"""What pytest leaves out of the examples in docstrings here."""

from importlib.util import find_spec

# Installed from tools/body_comparison/requirements.txt by those who compare the bodies.
collect_ignore = [] if find_spec("mujoco") else ["body_comparison/mujoco_bodies.py"]
