"""The invitation of other devices: who receives the PIN, and the codes of the links."""

from tests.page.client import Client
from tests.page.conftest import PIN
from urpi.core.qr_code import path_data, qr_modules
from urpi.http.addresses import Address, InterfaceAddress
from urpi.page.invitation import MAX_LINKS
from urpi.page.site import Site

WATCH = "http://192.168.1.20:8011/"
PLAY = f"{WATCH}#pin={PIN}"


def test_a_spectator_receives_links_without_the_pin(guest: Client) -> None:
    answer = guest.get("/api/invitation")
    assert PIN not in answer.text
    code = path_data(qr_modules(WATCH))
    assert answer.json == {
        "pin": None,
        "links": [
            {
                "url": WATCH,
                "interface": "",
                "watch": {"link": WATCH, "size": len(qr_modules(WATCH)), "path": code},
                "play": None,
            }
        ],
    }


def test_a_player_receives_the_pin_and_links_with_it(guest: Client) -> None:
    guest.post("/api/session", {"pin": PIN})
    answer = guest.get("/api/invitation")
    assert answer.json["pin"] == PIN
    (link,) = answer.json["links"]
    assert link["watch"]["link"] == WATCH
    assert link["play"] == {
        "link": PLAY,
        "size": len(qr_modules(PLAY)),
        "path": path_data(qr_modules(PLAY)),
    }
    assert answer.headers["cache-control"] == "no-store"
    guest.request("DELETE", "/api/session", headers={"origin": f"http://{guest.host}"})
    assert guest.get("/api/invitation").json["pin"] is None


def test_a_page_on_loopback_has_no_links(client: Client, site: Site) -> None:
    site.listen = Address("127.0.0.1", 8011)
    assert client.get("/api/invitation").json["links"] == []


def test_a_machine_with_many_networks_names_a_few(client: Client, site: Site) -> None:
    site.listen = Address("0.0.0.0", 8011)
    site.interfaces = lambda: tuple(
        InterfaceAddress(f"10.0.{number}.1", f"veth{number}") for number in range(50)
    )
    links = client.get("/api/invitation").json["links"]
    assert [link["url"] for link in links] == [
        f"http://10.0.{number}.1:8011/" for number in range(MAX_LINKS)
    ]
