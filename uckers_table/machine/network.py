"""A network of the table's own, opened where it knows no other; asked of NetworkManager over D-Bus.

It has a name, and a password that is made once and kept beside the record, because the display shows both,
also as a QR code that phones join a network by. Not yet tried on hardware.
"""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from uckers_table.errors import DeviceError, RecordError
from uckers_table.foreign.documents import bytes_of, json_from
from uckers_table.machine.messages import Joining

ADDRESS = "10.44.0.1"
"""The table's own, where the network is: such a network leads nowhere else, so any will do."""
NAME = "Uckers table"
UUID = "6f0b7a2e-3c57-4b8e-9d0e-75636b657273"
"""By which it is found again among NetworkManager's connections."""
FILE = "network.json"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that are not taken for others."""
PASSWORD_LETTERS = 10

WIFI = 2
"""NetworkManager's NMDeviceType."""
USABLE = 30
"""Its NMDeviceState: from here up a device is there and can be used."""
COMING_OR_THERE = (1, 2)
"""Its NMActiveConnectionState."""
NETWORKS = ("802-11-wireless", "802-3-ethernet", "gsm", "bluetooth")
"""Connections that phones may be at the other end of; there are always others, as that with oneself."""
_NM = "org.freedesktop.NetworkManager"
_PATH = "/org/freedesktop/NetworkManager"


class OwnNetwork(NamedTuple):
    """The network's name and password."""

    name: str
    password: str


def own_network(record: Path) -> OwnNetwork:
    """The table's own network, kept beside the record and made at first; RecordError where it cannot be."""
    path = record / FILE
    try:
        return OwnNetwork(**json_from(bytes_of(path)))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, TypeError) as error:
        raise RecordError(f"{path}: cannot be read ({error}); take it away, and another is made") from None
    network = OwnNetwork(NAME, "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LETTERS)))
    new = path.with_suffix(".new")
    try:
        record.mkdir(parents=True, exist_ok=True)
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(network._asdict(), file)
        new.rename(path)
    except OSError as error:
        raise RecordError(f"{path}: the network's password cannot be kept ({error.strerror})") from None
    return network


def joining(record: Path, address: str) -> Joining | None:
    """What a phone has to join first, for a page at `address`; None where it is in the mess's network."""
    if ADDRESS not in address:
        return None
    try:
        return Joining(*own_network(record))
    except RecordError:
        return None


def open_where_needed(record: Path, out: TextIO) -> int:
    """Open the table's own network, unless there is another or there will be in a moment. The exit status.

    DeviceError where NetworkManager cannot be asked, or there is no Wi-Fi to open it with.
    """
    # Only here: a table on its mess's network needs none of it.
    from jeepney import DBusErrorResponse
    from jeepney.io.blocking import open_dbus_connection

    try:
        with open_dbus_connection(bus="SYSTEM") as bus:
            print(_open(_Manager(bus), own_network(record)), file=out)
    except DBusErrorResponse as error:
        raise DeviceError(f"NetworkManager refuses ({error.name}): is it installed, may this user?") from None
    except (OSError, KeyError, EOFError) as error:
        raise DeviceError(f"no system bus to reach NetworkManager by ({error})") from None
    return 0


class _Manager:
    """NetworkManager, at the other end of a bus."""

    def __init__(self, bus: Any) -> None:
        self._bus = bus

    def get(self, path: str, interface: str, name: str) -> Any:
        from jeepney import DBusAddress, Properties

        return self._ask(Properties(DBusAddress(path, _NM, interface)).get(name))[0][1]

    def call(self, path: str, interface: str, method: str, signature: str = "", *body: Any) -> Any:
        from jeepney import DBusAddress, new_method_call

        return self._ask(new_method_call(DBusAddress(path, _NM, interface), method, signature or None, body))

    def _ask(self, message: Any) -> Any:
        from jeepney.wrappers import unwrap_msg

        return unwrap_msg(self._bus.send_and_get_reply(message, timeout=20))


def _open(manager: _Manager, network: OwnNetwork) -> str:
    for active in manager.get(_PATH, _NM, "ActiveConnections"):
        kind, state = (manager.get(active, f"{_NM}.Connection.Active", each) for each in ("Type", "State"))
        if kind in NETWORKS and state in COMING_OR_THERE:
            return "There is a network."
    if not manager.get(_PATH, _NM, "WirelessEnabled"):
        raise DeviceError(
            "Wi-Fi is switched off: say its country, sudo raspi-config nonint do_wifi_country GB"
        )
    for device in manager.call(_PATH, _NM, "GetDevices")[0]:
        kind = manager.get(device, f"{_NM}.Device", "DeviceType")
        if kind == WIFI and manager.get(device, f"{_NM}.Device", "State") >= USABLE:
            for known in manager.call(f"{_PATH}/Settings", f"{_NM}.Settings", "ListConnections")[0]:
                settings = manager.call(known, f"{_NM}.Settings.Connection", "GetSettings")[0]
                if settings["connection"].get("uuid", ("s", ""))[1] == UUID:
                    # Made anew, since it may be of an earlier password.
                    manager.call(known, f"{_NM}.Settings.Connection", "Delete")
            made = manager.call(
                f"{_PATH}/Settings", f"{_NM}.Settings", "AddConnection", "a{sa{sv}}", _settings(network)
            )[0]
            manager.call(_PATH, _NM, "ActivateConnection", "ooo", made, device, "/")
            return f"Opened the network {network.name!r}; the page is at {ADDRESS}."
    raise DeviceError("there is no Wi-Fi to open a network with: is it switched off, or blocked (rfkill)?")


def _settings(network: OwnNetwork) -> dict[str, dict[str, tuple[str, Any]]]:
    """The connection, as NetworkManager has them."""
    return {
        "connection": {
            "id": ("s", network.name),
            "uuid": ("s", UUID),
            "type": ("s", "802-11-wireless"),
            # By itself NetworkManager would open it before it has looked for any other.
            "autoconnect": ("b", False),
        },
        "802-11-wireless": {
            "ssid": ("ay", network.name.encode()),
            "mode": ("s", "ap"),
            # Which every phone has, and every country allows.
            "band": ("s", "bg"),
        },
        "802-11-wireless-security": {
            "key-mgmt": ("s", "wpa-psk"),
            "psk": ("s", network.password),
        },
        # It gives phones their addresses.
        "ipv4": {
            "method": ("s", "shared"),
            "address-data": ("aa{sv}", [{"address": ("s", ADDRESS), "prefix": ("u", 24)}]),
        },
        "ipv6": {"method": ("s", "ignore")},
    }
