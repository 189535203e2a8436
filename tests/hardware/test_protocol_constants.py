import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
GENERATOR = ROOT / "firmware/generate_protocol.py"
FILES = (
    "firmware/protocol.toml",
    "firmware/common/protocol.h",
    "firmware/air.toml",
    "firmware/common/air_protocol.h",
    "urpi/hardware/protocol_constants.py",
)


def generate(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(GENERATOR), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def copy_files(target: Path) -> None:
    for page in FILES:
        (target / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / page, target / page)


def test_generated_files_are_up_to_date():
    fresh = generate("--check")
    assert fresh.returncode == 0, fresh.stderr


def test_changed_constant_is_stale_until_generated(tmp_path):
    copy_files(tmp_path)
    page = tmp_path / "firmware/protocol.toml"
    page.write_text(
        page.read_text().replace("RESEND_LIMIT = { value = 20", "RESEND_LIMIT = { value = 21")
    )
    stale = generate("--check", "--root", str(tmp_path))
    assert stale.returncode == 1
    assert "protocol.h is stale" in stale.stderr
    assert "protocol_constants.py is stale" in stale.stderr
    assert generate("--root", str(tmp_path)).returncode == 0
    assert generate("--check", "--root", str(tmp_path)).returncode == 0
    assert "#define PROTOCOL_RESEND_LIMIT 21 " in (tmp_path / FILES[1]).read_text()
