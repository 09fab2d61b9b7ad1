"""The network of the table's own, asked of a NetworkManager that is not one, on a D-Bus that is."""

import io
import json
import os
import shutil
import socket
import subprocess
import threading
from contextlib import closing, contextmanager

import pytest

from tests.patience import HANGS_S, until
from uckers_table.announce.oled import draw, letters
from uckers_table.config import Config
from uckers_table.errors import DeviceError, RecordError
from uckers_table.machine import network
from uckers_table.machine.messages import Invitation, Joining
from uckers_table.machine.network import (
    ADDRESS,
    FILE,
    NAME,
    UNIT,
    UUID,
    close_network,
    give_addresses,
    joining,
    look,
    open_network,
    open_where_needed,
    own_network,
)
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table
from uckers_table.table.parts import build_parts
from uckers_table.table.running import view_for
from uckers_table.table.serving import OpenPage

PYTHON = "/usr/bin/python3"
NM, PATH = "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"
MOCK = "org.freedesktop.DBus.Mock"
DISCONNECTED, ACTIVATED = 30, 100
COMING = 1


def is_here():
    """Whether there is a bus daemon and a NetworkManager to play it: Debian's python3-dbusmock."""
    if shutil.which("dbus-daemon") is None or shutil.which(PYTHON) is None:
        return False
    return subprocess.run([PYTHON, "-c", "import dbusmock"], capture_output=True).returncode == 0


needs_bus = pytest.mark.skipif(not is_here(), reason="dbus-daemon or python3-dbusmock is not on this machine")


class Mock:
    """A NetworkManager whose devices a test plugs in."""

    def __init__(self):
        from jeepney.io.blocking import open_dbus_connection

        self._daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True
        )
        self.address = self._daemon.stdout.readline().strip()
        self._manager = subprocess.Popen(
            [PYTHON, "-m", "dbusmock", "--system", "--template", "networkmanager"],
            env={"DBUS_SYSTEM_BUS_ADDRESS": self.address, "PATH": "/usr/bin"},
        )
        self._systemd = None
        self._bus = open_dbus_connection(bus=self.address)
        until(self._is_there, "the mock did not come up")

    def _is_there(self, name=NM):
        from jeepney import DBusAddress, new_method_call

        bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        return self._ask(new_method_call(bus, "NameHasOwner", "s", (name,)))[0]

    def _ask(self, message):
        from jeepney.wrappers import unwrap_msg

        return unwrap_msg(self._bus.send_and_get_reply(message, timeout=HANGS_S))

    def call(self, path, interface, method, signature=None, *body):
        from jeepney import DBusAddress, new_method_call

        answer = self._ask(new_method_call(DBusAddress(path, NM, interface), method, signature, body))
        return answer[0] if answer else None

    def get(self, path, interface, name):
        return self.call(path, "org.freedesktop.DBus.Properties", "Get", "ss", interface, name)[1]

    def plug_in(self, kind, name, state):
        """A device: "WiFi" or "Ethernet"."""
        return self.call(PATH, MOCK, f"Add{kind}Device", "ssu", name, name, state)

    def connect(self, device, kind, name):
        """A connection that is active on a device."""
        named = {"id": ("s", name), "type": ("s", kind), "uuid": ("s", name)}
        settings = {"connection": named}
        path = self.call(f"{PATH}/Settings", f"{NM}.Settings", "AddConnection", "a{sa{sv}}", settings)
        self.call(PATH, NM, "ActivateConnection", "ooo", path, device, "/")

    def is_only_coming(self, name):
        """An active connection has no addresses yet, and may never have."""
        for active in self.get(PATH, NM, "ActiveConnections"):
            if self.get(active, f"{NM}.Connection.Active", "Id") == name:
                self.call(
                    active,
                    "org.freedesktop.DBus.Properties",
                    "Set",
                    "ssv",
                    f"{NM}.Connection.Active",
                    "State",
                    ("u", COMING),
                )

    def play_systemd(self):
        """A systemd on the same bus, which notes what it is asked; what gives that."""
        from jeepney import DBusAddress, new_method_call

        name, path = "org.freedesktop.systemd1", "/org/freedesktop/systemd1"
        self._systemd = subprocess.Popen(
            [PYTHON, "-m", "dbusmock", "--system", name, path, f"{name}.Manager"],
            env={"DBUS_SYSTEM_BUS_ADDRESS": self.address, "PATH": "/usr/bin"},
            stdout=subprocess.DEVNULL,
        )
        until(lambda: self._is_there(name), "the mock did not come up")
        to = DBusAddress(path, name, MOCK)
        for method in ("RestartUnit", "StopUnit"):
            body = (f"{name}.Manager", method, "ss", "o", "ret = dbus.ObjectPath('/job')")
            self._ask(new_method_call(to, "AddMethod", "sssss", body))

        def asked():
            calls = self._ask(new_method_call(to, "GetCalls"))[0]
            self._ask(new_method_call(to, "ClearCalls"))
            return [(method, *(value for _, value in said)) for _, method, said in calls]

        return asked

    @property
    def connections(self):
        """The settings of every connection, and the ids of those that are active."""
        known = self.call(f"{PATH}/Settings", f"{NM}.Settings", "ListConnections")
        settings = [self.call(path, f"{NM}.Settings.Connection", "GetSettings") for path in known]
        active = self.get(PATH, NM, "ActiveConnections")
        return settings, [self.get(path, f"{NM}.Connection.Active", "Id") for path in active]

    def close(self):
        self._bus.close()
        for process in (self._systemd, self._manager, self._daemon):
            if process is not None:
                process.terminate()
                process.wait()
        self._daemon.stdout.close()


@pytest.fixture
def manager(monkeypatch):
    with closing(Mock()) as mock:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", mock.address)
        yield mock


def said(record):
    out = io.StringIO()
    assert open_where_needed(record, out) == 0
    return out.getvalue()


@needs_bus
def test_where_no_network_is_known_one_is_opened_once(manager, tmp_path):
    manager.plug_in("Ethernet", "eth0", DISCONNECTED)
    manager.plug_in("WiFi", "wlan0", DISCONNECTED)
    assert ADDRESS in said(tmp_path)
    (settings,), active = manager.connections
    assert active == [NAME]
    assert settings["connection"]["autoconnect"] == ("b", False)
    assert bytes(settings["802-11-wireless"]["ssid"][1]) == NAME.encode()
    assert settings["802-11-wireless"]["mode"] == ("s", "ap")
    # What phones send goes nowhere, not even to one another.
    assert settings["ipv4"]["method"] == ("s", "manual")
    assert settings["ipv6"] == {"method": ("s", "disabled")}
    assert settings["802-11-wireless"]["ap-isolation"] == ("i", 1)
    secured = settings["802-11-wireless-security"]
    assert {name: value for name, (_, value) in secured.items() if name != "psk"} == {
        "key-mgmt": "wpa-psk",
        "proto": ["rsn"],
        "pairwise": ["ccmp"],
        "group": ["ccmp"],
        "pmf": 1,
    }
    # Its own network is a network: asked again, it leaves it alone.
    assert said(tmp_path) == "There is a network.\n"
    assert manager.connections == ([settings], [NAME])


@needs_bus
def test_a_network_with_oneself_is_none(manager, tmp_path):
    device = manager.plug_in("WiFi", "wlan0", DISCONNECTED)
    manager.connect(device, "loopback", "lo")
    assert ADDRESS in said(tmp_path)
    assert manager.connections[1] == ["lo", NAME]


@needs_bus
@pytest.mark.parametrize("kind", ["802-11-wireless", "802-3-ethernet"])
def test_where_there_is_a_network_it_is_left_alone(manager, tmp_path, kind):
    device = manager.plug_in("WiFi", "wlan0", ACTIVATED)
    manager.connect(device, kind, "HMS")
    before = manager.connections
    assert said(tmp_path) == "There is a network.\n"
    assert manager.connections == before


@needs_bus
@pytest.mark.parametrize("kind", ["802-11-wireless", "802-3-ethernet"])
def test_its_own_network_closes_when_another_is_there_and_not_before(manager, tmp_path, kind):
    manager.plug_in("WiFi", "wlan0", DISCONNECTED)
    said(tmp_path)
    other = manager.plug_in(
        *("WiFi", "wlan1") if kind == "802-11-wireless" else ("Ethernet", "eth0"), ACTIVATED
    )
    manager.connect(other, kind, "HMS")
    manager.is_only_coming("HMS")
    assert said(tmp_path) == "There is a network.\n"
    assert manager.connections[1] == [NAME, "HMS"]
    manager.connect(other, kind, "HMS again")
    assert said(tmp_path) == f"Closed the network {NAME!r}.\n"
    settings, active = manager.connections
    assert NAME not in active
    assert UUID not in [each["connection"]["uuid"][1] for each in settings], "nor can it come back by itself"
    assert said(tmp_path) == "There is a network.\n"


@needs_bus
def test_the_one_who_looks_asks_networkmanager_for_nothing_but_how_it_is(manager, tmp_path):
    manager.plug_in("WiFi", "wlan0", DISCONNECTED)
    out = io.StringIO()
    with pytest.raises(DeviceError, match="systemd refuses"):
        look(out)
    asked = manager.play_systemd()
    assert look(out) == 0
    assert asked() == [("RestartUnit", UNIT, "replace")]
    assert manager.connections == ([], [])
    # What systemd's unit does then, and what it undoes.
    assert open_network(tmp_path, out) == 0
    assert manager.connections[1] == [NAME]
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o640
    assert look(out) == 0
    assert asked() == []
    manager.connect(manager.plug_in("Ethernet", "eth0", ACTIVATED), "802-3-ethernet", "HMS")
    assert look(out) == 0
    assert asked() == [("StopUnit", UNIT, "replace")]
    assert close_network(out) == 0
    assert manager.connections[1] == ["HMS"]
    assert look(out) == 0
    assert asked() == []


def test_phones_are_given_addresses_by_dnsmasq_and_nothing_else():
    became = []
    give_addresses(lambda program, options: became.append((program, options)))
    ((program, options),) = became
    assert (program, options[0]) == ("/usr/sbin/dnsmasq", program)
    assert {f"--listen-address={ADDRESS}", "--port=0", "--conf-file=/dev/null"} <= set(options)
    with pytest.raises(DeviceError, match="apt install dnsmasq-base"):
        give_addresses(lambda program, options: os.execv("/nowhere/dnsmasq", options))


@needs_bus
def test_without_wi_fi_it_says_so(manager, tmp_path):
    manager.plug_in("Ethernet", "eth0", DISCONNECTED)
    with pytest.raises(DeviceError, match="no Wi-Fi"):
        said(tmp_path)
    manager.call(
        PATH,
        "org.freedesktop.DBus.Properties",
        "Set",
        "ssv",
        NM,
        "WirelessEnabled",
        ("b", False),
    )
    with pytest.raises(DeviceError, match="switched off"):
        said(tmp_path)


@pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="dbus-daemon is not on this machine")
def test_without_networkmanager_it_says_so(monkeypatch, tmp_path):
    with subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True
    ) as daemon:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", daemon.stdout.readline().strip())
        with pytest.raises(DeviceError, match="NetworkManager refuses"):
            said(tmp_path)
        daemon.terminate()


def test_without_a_bus_it_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/bus")
    with pytest.raises(DeviceError, match="no system bus"):
        said(tmp_path)


@contextmanager
def dumb_bus(folder, answers):
    """The address of a bus that greets whoever comes, gives so many answers, and says nothing more."""
    from jeepney import new_method_return
    from jeepney.low_level import Parser

    def serve(listening):
        line, _ = listening.accept()
        with line:
            said = b""
            while not said.endswith(b"BEGIN\r\n"):
                said = line.recv(1000)
                if not said:
                    # Whoever came has given up already.
                    return
                if b"AUTH" in said:
                    line.sendall(b"OK 0123456789abcdef0123456789abcdef\r\n")
            parser, left = Parser(), answers
            while said := line.recv(4096):
                parser.add_data(said)
                while (asked := parser.get_next_message()) is not None:
                    if left:
                        line.sendall(new_method_return(asked, "s", (":1.1",)).serialise(serial=1))
                    left -= 1

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{folder}/dumb")
        listening.listen()
        serving = threading.Thread(target=serve, args=(listening,))
        serving.start()
        yield f"unix:path={folder}/dumb"
        serving.join()


@pytest.mark.parametrize("answers", [0, 1], ids=["greets", "says who is there"])
def test_a_bus_that_greets_and_then_says_nothing_is_not_waited_for(monkeypatch, tmp_path, answers):
    monkeypatch.setattr(network, "ANSWER_S", 0.2)
    with dumb_bus(tmp_path, answers) as address:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
        with pytest.raises(DeviceError, match=r"has not answered for 0\.2 s; are they well"):
            said(tmp_path)


def test_the_password_is_made_once_and_is_the_tables_own_to_read(tmp_path):
    record = tmp_path / "matches"
    first = own_network(record)
    assert own_network(record) == first
    assert len(first.password) >= 8
    assert (record / FILE).stat().st_mode & 0o777 == 0o600
    assert own_network(tmp_path / "others").password != first.password
    (record / FILE).write_text("[]")
    with pytest.raises(RecordError, match="take it away"):
        own_network(record)


def test_the_table_shows_where_it_is_now(tmp_path):
    shown, inbox = [], Inbox()
    config = Config(
        **dict.fromkeys(("camera", "tower", "buttons", "display"), "none"),
        voice="silent",
        dice="buttons",
        record=tmp_path,
    )
    parts = build_parts(config, inbox.post)
    parts.display.show = lambda picture, **_: shown.append(picture)
    opened = Invitation(f"http://{ADDRESS}/", "123456")
    page = OpenPage(invitation=Invitation("http://table.local/", "123456"), renewed=lambda _: opened)
    inbox.interject(None)
    Table(config, parts, inbox, view_for(io.StringIO(), headless=True), page=page, begins=False).run()
    assert [picture.tobytes() for picture in shown] == [draw(opened).tobytes()]


def test_its_own_network_shows_in_turn_how_to_join_and_where_the_page_is(tmp_path, monkeypatch):
    monkeypatch.setattr("uckers_table.table.screens.TURN_S", 0.05)
    shown, inbox = [], Inbox()
    config = Config(
        **dict.fromkeys(("camera", "tower", "buttons", "display"), "none"),
        voice="silent",
        dice="buttons",
        record=tmp_path,
    )
    parts = build_parts(config, inbox.post)

    def show(picture, **_):
        shown.append(picture.tobytes())
        if len(shown) == 5:
            inbox.interject(None)

    parts.display.show = show
    invitation, join = Invitation(f"http://{ADDRESS}/", "123456"), Joining(NAME, "abcdefgh23")
    page = OpenPage(invitation=invitation, joining=lambda _: join)
    Table(config, parts, inbox, view_for(io.StringIO(), headless=True), page=page, begins=False).run()
    pages = [draw(join).tobytes(), draw(invitation).tobytes()]
    # Whichever was first: the clock runs from when the table was built.
    first = pages.index(shown[0])
    assert shown == [pages[(first + turn) % 2] for turn in range(5)]
    # Phones that are in already need not see it.
    assert page.feed.latest().screen == tuple(text for text, _ in letters(invitation))


def test_on_a_table_that_is_installed_the_password_is_where_its_network_keeps_it(tmp_path, monkeypatch):
    kept, record = tmp_path / "kept", tmp_path / "matches"
    monkeypatch.setattr("uckers_table.machine.network.KEPT", kept)
    before = joining(record, f"http://{ADDRESS}:8080/")
    now = own_network(kept)
    assert joining(record, f"http://{ADDRESS}:8080/") == Joining(*now) != before


def test_phones_are_told_how_to_join_where_they_have_to(tmp_path):
    (tmp_path / FILE).write_text(json.dumps({"name": "Uckers table", "password": "abcdefgh23"}))
    assert joining(tmp_path, "http://192.168.1.7:8080/") is None
    join = joining(tmp_path, f"http://{ADDRESS}:8080/")
    assert join == Joining("Uckers table", "abcdefgh23")
    # As phones' makers write such codes.
    assert join.code == "WIFI:T:WPA;S:Uckers table;P:abcdefgh23;;"
    (tmp_path / FILE).write_text("torn")
    assert joining(tmp_path, f"http://{ADDRESS}:8080/") is None
