"""The files that cloud-init reads at the first boot: user-data, network-config, meta-data. Pure.

They are JSON, which is valid YAML. Only keys of cloud-init itself are used, none that Raspberry Pi
OS adds (`enable_ssh`, `rpi`), so that the schema of any cloud-init checks them.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from urpi.install.card.packages import Package
from urpi.install.card.settings import OLED_ADDRESS, OLED_BUS, OPEN_PAGE, CardSettings, WifiNetwork
from urpi.install.systemd import CONFIG

BOOT: Final = "/boot/firmware"
"""Where Raspberry Pi OS mounts the boot partition."""
PACKAGES: Final = "urpi-packages"
"""The folder of the packages on the boot partition."""
INSTALLER: Final = "/usr/local/sbin/urpi-card-install"
UNIT: Final = "urpi-card.service"
GROUPS: Final = (
    "users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,gpio,spi,i2c,render,sudo"
)
"""The groups of the first user of Raspberry Pi OS."""
CARD_CONFIG: Final = "/var/lib/urpi-card/config.toml"
"""Where cloud-init writes the configuration, which then replaces another one."""
CHECKSUMS: Final = "/var/lib/urpi-card/packages.sha256"
"""The packages of the card with their SHA-256, as `sha256sum` writes them. Others are ignored."""
LEAST_KIB: Final = 100 * 1024
"""Free space in KiB below which a failed installation is attributed to a full card."""
_CLOUD_CONFIG: Final = "#cloud-config\n"
PROGRESS: Final = "/usr/local/sbin/urpi-card-progress"
PROGRESS_UNIT: Final = "urpi-card-progress.service"
SCREENS: Final = "/var/lib/urpi-card/screens.json"
STATE: Final = "/run/urpi-card-state"
"""The file to which the installer writes the name of the screen to show."""
_PORT: Final = OPEN_PAGE.rpartition(":")[2]
_SCRIPT: Final = f"""\
#!/bin/sh
# Written by `urpi card`: installs the configuration and the packages of the card.
set -e
export DEBIAN_FRONTEND=noninteractive
report() {{ echo "$1" >{STATE}; }}
fail() {{
    report "$1"
    echo "$2" >&2
    exit 1
}}
fail_or_full() {{
    free=$(df --output=avail / | tail -n 1)
    [ "$free" -ge {LEAST_KIB} ] || fail full "The card is full: $free KiB are free."
    fail "$@"
}}
report settings
# An urpi that is installed uses display and page itself.
[ -e /usr/bin/urpi ] || systemctl start --no-block {PROGRESS_UNIT}
if [ -f {CARD_CONFIG} ]; then
    mkdir -p {CONFIG.parent}
    [ ! -f {CONFIG} ] || mv {CONFIG} {CONFIG}.before-urpi
    mv {CARD_CONFIG} {CONFIG}
fi
# A newer urpi that is installed remains; the card's would be rejected again and again.
is_older() {{
    [ "$(dpkg-deb --field "$1" Package)" = urpi ] || return 1
    format='${{db:Status-Status}}=${{Version}}'
    state=$(dpkg-query --show --showformat="$format" urpi 2>/dev/null) || return 1
    case $state in installed=*) ;; *) return 1 ;; esac
    dpkg --compare-versions "$(dpkg-deb --field "$1" Version)" lt "${{state#installed=}}"
}}
report check
set --
while read -r sum name; do
    file={BOOT}/{PACKAGES}/$name
    # Its partition has no journal, and any computer with the card can write to it.
    [ "$(sha256sum <"$file" | cut -c 1-64)" = "$sum" ] ||
        fail damaged "The package $file is damaged."
    if is_older "$file"; then
        echo "A newer urpi than $file is installed, and remains."
    else
        set -- "$@" "$file"
    fi
done <{CHECKSUMS}
install_packages() {{
    apt-get --yes -o DPkg::Lock::Timeout=600 -o Dpkg::Options::=--force-confold install "$@"
}}
if [ $# != 0 ]; then
    report libraries
    # What is missing on the card comes from the network.
    install_packages --download-only "$@" ||
        {{ apt-get update && install_packages --download-only "$@"; }} ||
        fail_or_full network "Libraries of urpi cannot be downloaded."
    report install
    install_packages "$@" || fail_or_full failed "urpi cannot be installed."
fi
# If it was installed before, it still uses the configuration of its start.
systemctl try-restart urpi.service
systemctl stop {PROGRESS_UNIT}
systemctl disable {UNIT}
"""
_SERVICE: Final = f"""\
# Written by `urpi card`; it disables itself after the installation.
[Unit]
Description=Installation of urpi from the card
After=network.target
StartLimitIntervalSec=0

[Service]
Type=oneshot
ExecStart={INSTALLER}
Restart=on-failure
RestartSec=30

[Install]
WantedBy=multi-user.target
"""
_PROGRESS_SERVICE: Final = f"""\
# Written by `urpi card`; the installation starts it.
[Unit]
Description=Progress of the installation of urpi
# The service of urpi needs display and port: its start first ends this one.
Conflicts=urpi.service
Before=urpi.service

[Service]
ExecStart=/usr/bin/python3 -I {PROGRESS} {SCREENS} {STATE} \\
    --bus {OLED_BUS} --address {OLED_ADDRESS} --port {_PORT}
Restart=on-failure
"""


def user_data(
    settings: CardSettings, program: str, screens: str, packages: Iterable[Package]
) -> str:
    """Return the file that configures the system, and starts the installation of the packages.

    Args:
        settings: What the card is configured with.
        program: The source of `urpi.install.card.first_boot`, which shows the progress.
        screens: What it shows, as the content of its file.
        packages: The packages that are copied to the card.
    """
    return _CLOUD_CONFIG + _json(
        {
            "hostname": settings.hostname,
            "manage_etc_hosts": True,
            "timezone": settings.time_zone,
            "users": [_user(settings)],
            "ssh_pwauth": False,
            "write_files": [
                _file(CARD_CONFIG, settings.board.config_text()),
                _file(CHECKSUMS, "".join(f"{one.sha256}  {one.file.name}\n" for one in packages)),
                _file("/etc/modules-load.d/urpi.conf", "i2c-dev\n"),
                _file(INSTALLER, _SCRIPT, "0755"),
                _file(f"/etc/systemd/system/{UNIT}", _SERVICE),
                _file(PROGRESS, program),
                _file(SCREENS, screens),
                _file(f"/etc/systemd/system/{PROGRESS_UNIT}", _PROGRESS_SERVICE),
            ],
            "runcmd": [
                ["systemctl", "enable", "--now", "ssh.service"],
                ["modprobe", "i2c-dev"],
                ["systemctl", "daemon-reload"],
                ["systemctl", "enable", "--now", "--no-block", UNIT],
            ],
        }
    )


def network_config(wifi: WifiNetwork | None) -> str:
    """The networks in netplan's format: the cable and, if there is one, the Wi-Fi."""
    # Optional: the start does not wait for a cable that is not plugged in.
    any_address = {"dhcp4": True, "dhcp6": True, "optional": True}
    network: dict[str, Any] = {"version": 2, "ethernets": {"eth0": any_address}}
    if wifi is not None:
        point: dict[str, Any] = {} if wifi.psk is None else {"password": wifi.psk}
        if wifi.hidden:
            point["hidden"] = True
        network["wifis"] = {
            "wlan0": {
                **any_address,
                "regulatory-domain": wifi.country,
                "access-points": {wifi.ssid: point},
            }
        }
    return _json({"network": network})


def meta_data(instance_id: str) -> str:
    """The file that identifies the installation.

    ``dsmode`` lets cloud-init apply the files before the network is up.
    """
    return _json({"dsmode": "local", "instance-id": instance_id})


def instance_id(files: Sequence[str]) -> str:
    """An id that changes with the files, because cloud-init applies those of a new id."""
    digest = hashlib.sha256("\0".join(files).encode()).hexdigest()
    return f"urpi-{digest[:16]}"


def _user(settings: CardSettings) -> dict[str, Any]:
    return {
        "name": settings.user,
        "groups": GROUPS,
        "shell": "/bin/bash",
        "lock_passwd": True,
        "sudo": "ALL=(ALL) NOPASSWD:ALL",
        "ssh_authorized_keys": list(settings.ssh_keys),
    }


def _file(path: str, content: str, permissions: str = "0644") -> dict[str, str]:
    return {"path": path, "permissions": permissions, "content": content}


def _json(value: object) -> str:
    # Characters outside the BMP are not escaped: JSON's surrogate pairs are invalid in YAML.
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
