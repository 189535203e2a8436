"""`python -m urpi`."""

import subprocess
import sys

import pytest

from urpi import __version__


@pytest.mark.parametrize(
    ("words", "status"), [(("--version",), 0), (("games", "show", "nothing"), 2), (("chess",), 2)]
)
def test_python_m_urpi_is_the_command(words: tuple[str, ...], status: int) -> None:
    module, command = (
        subprocess.run((sys.executable, *how, *words), capture_output=True, text=True, check=False)
        for how in (("-m", "urpi"), ("-c", "from urpi.cli.main import main; main()"))
    )
    assert (module.returncode, module.stdout) == (command.returncode, command.stdout)
    assert module.stderr.replace("python -m urpi", "urpi") == command.stderr
    assert module.returncode == status
    assert status or __version__ in module.stdout
