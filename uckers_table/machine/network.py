"""A network of the table's own, open as long as there is no other; asked of NetworkManager over D-Bus.

It has a name, and a password that is made once and kept: the display shows both, also as a QR code that
phones join a network by. It leads nowhere. NetworkManager's method for it is not `shared`, which forwards
what phones send, but `manual`. A program of its own gives phones their addresses (`give_addresses`).

On a table that is installed, `look` only asks, and has systemd open or close the network; `open_network` and
`close_network` are what systemd does then; the page's user reads the password. Not yet tried on hardware.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TextIO

from uckers_table.errors import DeviceError, RecordError
from uckers_table.foreign.documents import bytes_of, json_from
from uckers_table.machine.files import is_there, make_folder, write_whole
from uckers_table.machine.messages import Joining

ADDRESS = "10.44.0.1"
"""The table's own, where the network is: such a network leads nowhere else, so any will do."""
NAME = "Uckers table"
UUID = "6f0b7a2e-3c57-4b8e-9d0e-75636b657273"
"""By which it is found again among NetworkManager's connections."""
UNIT = "uckers-table-access-point.service"
"""What systemd has open while the network is."""
KEPT = Path("/var/lib/uckers-table-network")
"""Where a table that is installed keeps the password: root's to write, and the page's user's to read."""
FILE = "network.json"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that are not taken for others."""
PASSWORD_LETTERS = 10

WIFI = 2
"""NetworkManager's NMDeviceType."""
USABLE = 30
"""Its NMDeviceState: from here up a device is there and can be used."""
COMING, THERE = 1, 2
"""Its NMActiveConnectionState."""
ISOLATED = 1
"""Its NMTernary for yes."""
UNPROTECTED = 1
"""Its NMSettingWirelessSecurityPmf for no management frame protection."""
NETWORKS = ("802-11-wireless", "802-3-ethernet", "gsm", "bluetooth")
"""Connections that phones may be at the other end of; there are always others, as that with oneself."""
DNSMASQ = "/usr/sbin/dnsmasq"
ANSWER_S = 20.0
"""How long the bus, or who is asked over it, may take to answer. NetworkManager takes seconds at most."""
_NM = "org.freedesktop.NetworkManager"
_PATH = "/org/freedesktop/NetworkManager"
_SYSTEMD, _SYSTEMD_PATH = "org.freedesktop.systemd1", "/org/freedesktop/systemd1"


class OwnNetwork(NamedTuple):
    """The network's name and password."""

    name: str
    password: str


def own_network(folder: Path, mode: int = 0o600) -> OwnNetwork:
    """The table's own network, kept in a folder and made at first; RecordError where it cannot be.

    `mode` says who may read the file.
    """
    path = folder / FILE
    try:
        return OwnNetwork(**json_from(bytes_of(path)))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, TypeError) as error:
        raise RecordError(f"{path}: cannot be read ({error}); take it away, and another is made") from None
    network = OwnNetwork(NAME, "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LETTERS)))
    try:
        make_folder(folder)
        write_whole(path, json.dumps(network._asdict()), mode=mode)
    except OSError as error:
        raise RecordError(f"{path}: the network's password cannot be kept ({error.strerror})") from None
    return network


def joining(record: Path, address: str) -> Joining | None:
    """What a phone has to join first, for a page at `address`; None where it is in the mess's network."""
    if ADDRESS not in address:
        return None
    try:
        return Joining(*own_network(KEPT if is_there(KEPT / FILE) else record))
    except RecordError:
        return None


class _ToDo(Enum):
    """What is to be done, by what there is."""

    OPEN = "open"
    CLOSE = "close"
    NONE = "none"


def open_where_needed(record: Path, out: TextIO) -> int:
    """Open the table's own network if there is no other, and close it if there is. The exit status.

    DeviceError where NetworkManager cannot be asked or refuses, or there is no Wi-Fi to open it with.
    """
    with _manager() as manager:
        to_do = _to_do(manager)
        if to_do is _ToDo.OPEN:
            print(_open(manager, own_network(record)), file=out)
            print(
                "To give phones addresses there: sudo uckers-table network addresses",
                file=out,
            )
        elif to_do is _ToDo.CLOSE:
            print(_close(manager), file=out)
        else:
            print("There is a network.", file=out)
    return 0


def look(out: TextIO) -> int:
    """As `open_where_needed`, but have systemd's unit do it, which this user may. The exit status.

    DeviceError where NetworkManager or systemd cannot be asked, or refuses.
    """
    with _manager() as manager:
        to_do = _to_do(manager)
        if to_do is _ToDo.OPEN:
            # Not merely started: it may be up from before, and NetworkManager have closed the network.
            manager.call_systemd("RestartUnit", UNIT)
            print(f"There is no network; {UNIT} opens one.", file=out)
        elif to_do is _ToDo.CLOSE:
            manager.call_systemd("StopUnit", UNIT)
            print(f"There is another network; {UNIT} closes the table's own.", file=out)
        else:
            print("There is a network.", file=out)
    return 0


def open_network(folder: Path, out: TextIO) -> int:
    """Open the table's own network, its password kept in `folder` for its group to read. The exit status.

    DeviceError as for `open_where_needed`.
    """
    with _manager() as manager:
        print(_open(manager, own_network(folder, mode=0o640)), file=out)
    return 0


def close_network(out: TextIO) -> int:
    """Close the table's own network, if it is open. The exit status.

    DeviceError as for `open_where_needed`.
    """
    with _manager() as manager:
        print(_close(manager), file=out)
    return 0


def give_addresses(run: Callable[[str, list[str]], NoReturn] = os.execv) -> NoReturn:
    """Become the program that gives phones their addresses; DeviceError where it is not there.

    It looks no names up: nobody does, in a network that leads nowhere. Phones are told of a name server all
    the same, since a network without one may look broken to them.
    """
    first, last = (ADDRESS.rpartition(".")[0] + end for end in (".10", ".250"))
    options = [
        *("--keep-in-foreground", "--log-facility=-"),
        *("--conf-file=/dev/null", "--pid-file=", "--leasefile-ro"),
        *("--port=0", "--bind-dynamic", f"--listen-address={ADDRESS}", f"--dhcp-range={first},{last},1h"),
        *("--dhcp-authoritative", f"--dhcp-option=option:dns-server,{ADDRESS}"),
        # What it would do otherwise takes more rights: raw sockets.
        *("--dhcp-broadcast", "--no-ping"),
    ]
    try:
        run(DNSMASQ, [DNSMASQ, *options])
    except OSError as error:
        raise DeviceError(f"{DNSMASQ}: {error.strerror}; sudo apt install dnsmasq-base") from None


@contextmanager
def _manager() -> Iterator[_Manager]:
    # Only here: a table on its mess's network needs none of it.
    from jeepney import DBusErrorResponse

    try:
        with _system_bus() as bus:
            yield _Manager(bus)
    except DBusErrorResponse as error:
        raise DeviceError(f"NetworkManager refuses ({error.name}): is it installed, may this user?") from None
    except TimeoutError:
        raise DeviceError(
            f"the system bus, or NetworkManager on it, has not answered for {ANSWER_S:g} s; are they well "
            "(systemctl status dbus NetworkManager)?"
        ) from None
    except (OSError, KeyError, EOFError) as error:
        raise DeviceError(f"no system bus to reach NetworkManager by ({error})") from None


@contextmanager
def _system_bus() -> Iterator[Any]:
    """The system bus. TimeoutError where it does not answer: jeepney itself waits for ever to be let in."""
    from jeepney.bus import get_bus
    from jeepney.io.blocking import DBusConnection, prep_socket

    class Bus(DBusConnection):  # type: ignore[misc]
        def send_and_get_reply(self, message: Any, *, timeout: float | None = None) -> Any:
            return super().send_and_get_reply(message, timeout=ANSWER_S if timeout is None else timeout)

    with closing(prep_socket(get_bus("SYSTEM"))) as line, Bus(line) as bus:
        yield bus


class _Manager:
    """NetworkManager, at the other end of a bus, and systemd."""

    def __init__(self, bus: Any) -> None:
        self._bus = bus

    def get(self, path: str, interface: str, name: str) -> Any:
        from jeepney import DBusAddress, Properties

        return self._ask(Properties(DBusAddress(path, _NM, interface)).get(name))[0][1]

    def call(self, path: str, interface: str, method: str, signature: str = "", *body: Any) -> Any:
        from jeepney import DBusAddress, new_method_call

        return self._ask(new_method_call(DBusAddress(path, _NM, interface), method, signature or None, body))

    def call_systemd(self, method: str, unit: str) -> None:
        from jeepney import DBusAddress, DBusErrorResponse, new_method_call

        to = DBusAddress(_SYSTEMD_PATH, _SYSTEMD, f"{_SYSTEMD}.Manager")
        try:
            self._ask(new_method_call(to, method, "ss", (unit, "replace")))
        except DBusErrorResponse as error:
            raise DeviceError(f"systemd refuses ({error.name}): may this user? polkit's rules say") from None

    def _ask(self, message: Any) -> Any:
        from jeepney.wrappers import unwrap_msg

        return unwrap_msg(self._bus.send_and_get_reply(message))


def _active(manager: _Manager) -> Iterator[tuple[str, bool, int]]:
    """Each network that is coming or there: NetworkManager's path, whether it is the own one, its state."""
    for active in manager.get(_PATH, _NM, "ActiveConnections"):
        kind, state, uuid = (
            manager.get(active, f"{_NM}.Connection.Active", each) for each in ("Type", "State", "Uuid")
        )
        if kind in NETWORKS and state in (COMING, THERE):
            yield active, uuid == UUID, state


def _to_do(manager: _Manager) -> _ToDo:
    """What is to be done. A network that is only coming keeps the own one from opening and closes none."""
    networks = list(_active(manager))
    if not networks:
        return _ToDo.OPEN
    is_open = any(is_own for _, is_own, _ in networks)
    has_other = any(state == THERE for _, is_own, state in networks if not is_own)
    return _ToDo.CLOSE if is_open and has_other else _ToDo.NONE


def _open(manager: _Manager, network: OwnNetwork) -> str:
    if not manager.get(_PATH, _NM, "WirelessEnabled"):
        raise DeviceError(
            "Wi-Fi is switched off: say its country, sudo raspi-config nonint do_wifi_country GB"
        )
    for device in manager.call(_PATH, _NM, "GetDevices")[0]:
        kind = manager.get(device, f"{_NM}.Device", "DeviceType")
        if kind == WIFI and manager.get(device, f"{_NM}.Device", "State") >= USABLE:
            # Made anew, since it may be of an earlier password, or an earlier version.
            _forget(manager)
            made = manager.call(
                f"{_PATH}/Settings", f"{_NM}.Settings", "AddConnection", "a{sa{sv}}", _settings(network)
            )[0]
            manager.call(_PATH, _NM, "ActivateConnection", "ooo", made, device, "/")
            return f"Opened the network {network.name!r}; the page is at {ADDRESS}."
    raise DeviceError("there is no Wi-Fi to open a network with: is it switched off, or blocked (rfkill)?")


def _close(manager: _Manager) -> str:
    for active, is_own, _ in list(_active(manager)):
        if is_own:
            manager.call(_PATH, _NM, "DeactivateConnection", "o", active)
    _forget(manager)
    return f"Closed the network {NAME!r}."


def _forget(manager: _Manager) -> None:
    for known in manager.call(f"{_PATH}/Settings", f"{_NM}.Settings", "ListConnections")[0]:
        settings = manager.call(known, f"{_NM}.Settings.Connection", "GetSettings")[0]
        if settings["connection"].get("uuid", ("s", ""))[1] == UUID:
            manager.call(known, f"{_NM}.Settings.Connection", "Delete")


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
            # Phones reach the table, and not one another.
            "ap-isolation": ("i", ISOLATED),
        },
        # WPA2 with AES, and nothing older. WPA3 takes management frame protection. With that a Pi's own Wi-Fi
        # opens no network, or one that phones cannot join (github.com/raspberrypi/linux, issues 3619, 7247).
        "802-11-wireless-security": {
            "key-mgmt": ("s", "wpa-psk"),
            "proto": ("as", ["rsn"]),
            "pairwise": ("as", ["ccmp"]),
            "group": ("as", ["ccmp"]),
            "pmf": ("i", UNPROTECTED),
            "psk": ("s", network.password),
        },
        # Not `shared`, which has the machine forward what phones send.
        "ipv4": {
            "method": ("s", "manual"),
            "address-data": ("aa{sv}", [{"address": ("s", ADDRESS), "prefix": ("u", 24)}]),
            "never-default": ("b", True),
        },
        "ipv6": {"method": ("s", "disabled")},
    }
