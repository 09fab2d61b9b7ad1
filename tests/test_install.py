"""install.sh, on a folder that stands for the machine, with commands that only note what they are asked.

That it works on the real systems, `scripts/install_in_chroot.sh` shows.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
INSTALLED = (
    "uckers_table",
    "firmware",
    "systemd",
    "install",
    "install.sh",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
UNITS = sorted(
    path.name for path in (ROOT / "systemd").iterdir() if path.suffix in (".service", ".target", ".timer")
)

# At this command the power goes.
CUT = '[[ -z "${STUB_CUT:-}" || "$(basename "$0") ${1:-}" != "$STUB_CUT"* ]] || kill -9 "$PPID"\n'
# What each command of the machine does here. `$STUBS` has files that make one fail.
NOTE = 'printf "%s\\n" "$(basename "$0") $*" >>"$STUBS/log"\n'
COMMANDS = {
    "id": '[ "$1" = -u ] && echo "${STUB_UID:-0}" || [ -e "$STUBS/user" ]\n',
    "dpkg-query": 'grep -qx "${@: -1}" "$STUBS/packages" && printf installed\n',
    "apt-get": NOTE
    + '[[ " $* " == *" install "* ]] || exit 0\n'
    + 'if grep -qsx "${@: -1}" "$STUBS/unavailable"; then exit 100; fi\n'
    + 'echo "${@: -1}" >>"$STUBS/packages"\n',
    "systemctl": NOTE
    + 'case "$*" in\n'
    + '*is-enabled*) [ -e "$STUBS/enabled" ] ;;\n'
    + 'enable*) touch "$STUBS/enabled" ;;\n'
    + 'disable*) rm -f "$STUBS/enabled" ;;\n'
    + 'restart*) now=$(readlink "$UCKERS_ROOT/opt/uckers-table/current")\n'
    + '    ! grep -qs "${now##*/}" "$STUBS/broken" ;;\n'
    + "esac\n",
    "systemd-sysusers": NOTE + 'touch "$STUBS/user"\n',
    "userdel": NOTE + 'rm "$STUBS/user"\n',
    "udevadm": NOTE,
    "sync": "",
    "python3": 'if [ "$1" = -c ]; then echo "${STUB_NUMPY:-1.24.2}"; exit; fi\n'
    + 'mkdir -p "${@: -1}/bin" && cp "$STUBS/bin/venv-python" "${@: -1}/bin/python"\n',
    "venv-python": 'if [ "$1" = -c ]; then echo 1.24.2; exit; fi\n'
    + NOTE
    + 'if [ -e "$STUBS/pip-fails" ]; then exit 1; fi\n'
    + 'cp "$STUBS/bin/program" "$(dirname "$0")/uckers-table"\n',
    "program": 'if [ "$2" = --default ]; then cat "$STUBS/default.toml"; fi\n'
    + 'if [ "$2" = --config ]; then ! grep -q tabel "$3"; fi\n',
}
PACKAGES = [
    "python3-venv",
    "python3-numpy",
    "python3-picamera2",
    "python3-lgpio",
    "flite",
    "alsa-utils",
    "dnsmasq-base",
]


class Machine:
    """A bare Raspberry Pi, and a checkout on it."""

    def __init__(self, folder):
        self.root, self.stubs, self.source = folder / "root", folder / "stubs", folder / "checkout"
        for each in (self.root / "etc", self.root / "run/systemd/system", self.stubs / "bin", self.source):
            each.mkdir(parents=True)
        (self.root / "etc/os-release").write_text("ID=debian\nVERSION_CODENAME=bookworm\n")
        (self.stubs / "packages").write_text("python3-numpy\n")
        shutil.copy(ROOT / "uckers_table" / "default_config.toml", self.stubs / "default.toml")
        for name, does in COMMANDS.items():
            command = self.stubs / "bin" / name
            command.write_text(f"#!/usr/bin/env bash\n{CUT}{does}")
            command.chmod(0o755)
        for name in INSTALLED:
            path = ROOT / name
            if path.is_dir():
                shutil.copytree(path, self.source / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(path, self.source / name)

    def run(self, *arguments, status=0, script=None, **environment):
        """What install.sh says, and what it had done by others; its exit status is as expected."""
        log = self.stubs / "log"
        log.write_text("")
        done = subprocess.run(
            [str(script or self.source / "install.sh"), *arguments],
            capture_output=True,
            text=True,
            env={
                "PATH": f"{self.stubs / 'bin'}:{os.environ['PATH']}",
                "STUBS": str(self.stubs),
                "UCKERS_ROOT": str(self.root),
            }
            | environment,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr, log.read_text()

    def change(self, name="uckers_table/__main__.py"):
        """Another version of the checkout."""
        with (self.source / name).open("a") as file:
            file.write("# newer\n")

    def files(self):
        """Every file and link of the machine, with what is in it."""
        return {
            str(path.relative_to(self.root)): path.readlink() if path.is_symlink() else path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_symlink() or path.is_file()
        }

    @property
    def current(self):
        return self._version("current")

    @property
    def previous(self):
        return self._version("previous")

    def _version(self, name):
        link = self.root / "opt/uckers-table" / name
        return link.readlink().name if link.is_symlink() else None

    @property
    def versions(self):
        return {path.name for path in (self.root / "opt/uckers-table/versions").iterdir()}


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def installed(machine):
    machine.run()
    return machine


def test_a_fresh_install(machine):
    said, done = machine.run()
    assert (machine.stubs / "packages").read_text().split() == [
        "python3-numpy",
        *(p for p in PACKAGES if p != "python3-numpy"),
    ]
    files = machine.files()
    assert {f"etc/systemd/system/{unit}" for unit in UNITS} <= set(files)
    assert {
        "etc/udev/rules.d/70-uckers-table.rules",
        "etc/polkit-1/rules.d/50-uckers-table.rules",
        "usr/local/lib/sysusers.d/uckers-table.conf",
        "usr/local/bin/uckers-table",
    } <= set(files)
    config = files["etc/uckers-table.toml"].decode()
    assert '\nrecord = "/var/lib/uckers-table/matches"\n' in config
    assert '\ntable = "/var/lib/uckers-table/table.toml"\n' in config
    assert "--require-hashes" in done
    assert "install/bookworm.lock" in done
    assert "systemctl restart uckers-table.service" in done
    assert f"Installed  {machine.current}" in said
    assert machine.versions == {machine.current}


def test_run_again_it_changes_nothing(installed):
    before = installed.files()
    said, done = installed.run()
    assert installed.files() == before
    assert "Nothing to do" in said
    assert "restart" not in done
    assert "pip" not in done


def test_the_configuration_that_people_have_changed_is_left_alone(installed):
    config = installed.root / "etc/uckers-table.toml"
    config.write_text("players = 2\n")
    installed.change()
    installed.run()
    assert config.read_text() == "players = 2\n"


def test_an_update_keeps_the_version_before_and_no_other(installed):
    first = installed.current
    installed.change()
    installed.run()
    second = installed.current
    assert (installed.previous, installed.versions) == (first, {first, second})
    installed.change()
    installed.run()
    assert (installed.previous, installed.versions) == (second, {second, installed.current})


def test_back_to_the_version_before_with_its_units_and_forth_again(installed):
    first, unit = installed.current, installed.root / "etc/systemd/system/uckers-table.service"
    text = unit.read_text()
    installed.change("systemd/uckers-table.service")
    installed.run()
    second = installed.current
    assert unit.read_text() == text + "# newer\n"
    own = installed.root / "opt/uckers-table/install.sh"
    _, done = installed.run("--rollback", script=own)
    assert (installed.current, installed.previous, unit.read_text()) == (first, second, text)
    assert "restart" in done
    installed.run("--rollback", script=own)
    assert (installed.current, installed.previous) == (second, first)


def test_a_version_that_lacked_a_unit_is_gone_back_to_without_it(machine):
    unit = "uckers-table-access-point.service"
    text = (machine.source / "systemd" / unit).read_text()
    (machine.source / "systemd" / unit).unlink()
    machine.run()
    first = machine.current
    (machine.source / "systemd" / unit).write_text(text)
    machine.run()
    assert (machine.root / "etc/systemd/system" / unit).read_text() == text
    machine.run("--rollback")
    assert machine.current == first
    assert not (machine.root / "etc/systemd/system" / unit).exists()


def test_there_may_be_nothing_to_go_back_to(installed):
    said, _ = installed.run("--rollback", status=1)
    assert "no version to go back to" in said


@pytest.mark.parametrize("trouble", ["pip", "numpy", "config"])
def test_an_update_that_fails_half_way_leaves_the_earlier_version_as_it_was(installed, trouble):
    first, before = installed.current, installed.files()
    installed.change()
    environment = {}
    match trouble:
        case "pip":
            (installed.stubs / "pip-fails").touch()
        case "numpy":
            environment = {"STUB_NUMPY": "2.2.4"}
        case "config":
            (installed.root / "etc/uckers-table.toml").write_text("tabel = 'x'\n")
            before = installed.files()
    said, done = installed.run(status=1, **environment)
    assert f"In force: {first}, as before." in said
    assert "restart" not in done
    assert {name: what for name, what in installed.files().items() if name in before} == before
    assert installed.current == first


def test_a_version_that_does_not_come_up_gives_way_to_the_one_before(installed):
    first, unit = installed.current, installed.root / "etc/systemd/system/uckers-table.service"
    text = unit.read_text()
    installed.change("systemd/uckers-table.service")
    (installed.stubs / "broken").write_text("")
    said, _ = installed.run()
    second = installed.current
    installed.run("--rollback")
    (installed.stubs / "broken").write_text(second)
    said, done = installed.run(status=1)
    assert f"{second} does not come up" in said
    assert (installed.current, unit.read_text()) == (first, text)
    assert done.count("systemctl restart") == 2


SYSUSERS = "systemd-sysusers"
CUTS = [SYSUSERS, "systemctl enable", "systemctl daemon-reload", "systemctl restart"]
"""Where the power goes in an update: before the new version is in force, and while it comes up."""


def cut_off(installed, at):
    """An update that changes a unit too, and that is cut; the version before it, and that unit's text."""
    first, unit = installed.current, installed.root / "etc/systemd/system/uckers-table.service"
    text = unit.read_text()
    installed.change("systemd/uckers-table.service")
    installed.run(status=-9, STUB_CUT=at)
    return first, unit, text


@pytest.mark.parametrize("at", CUTS)
def test_an_update_that_is_cut_can_be_rolled_back(installed, at):
    first, unit, text = cut_off(installed, at)
    said, done = installed.run("--rollback")
    assert f"Back at    {first}" in said
    assert (installed.current, unit.read_text()) == (first, text)
    assert "systemctl restart" in done
    # Forth again, or to nothing where the new version had not been in force.
    if at == SYSUSERS:
        assert "no version to go back to" in installed.run("--rollback", status=1)[0]
    else:
        installed.run("--rollback")
        assert (installed.previous, unit.read_text()) == (first, text + "# newer\n")


@pytest.mark.parametrize("at", CUTS)
def test_an_update_that_is_cut_goes_on_when_it_is_run_again(installed, at):
    first, unit, text = cut_off(installed, at)
    said, done = installed.run()
    second = installed.current
    assert f"Installed  {second}" in said
    assert "systemctl restart" in done
    assert (installed.previous, unit.read_text()) == (first, text + "# newer\n")
    said, _ = installed.run()
    assert "Nothing to do" in said
    assert (installed.previous, installed.versions) == (first, {first, second})


def test_an_update_that_is_cut_and_does_not_come_up_then_gives_way_too(installed):
    first, unit, text = cut_off(installed, "systemctl restart")
    (installed.stubs / "broken").write_text(installed.current)
    said, _ = installed.run(status=1)
    assert "does not come up" in said
    assert (installed.current, installed.previous, unit.read_text()) == (first, None, text)


def test_an_update_that_fails_leaves_the_version_to_go_back_to(installed):
    first = installed.current
    installed.change()
    installed.run()
    second = installed.current
    installed.change()
    (installed.stubs / "broken").write_text(newer_than(installed))
    installed.run(status=1)
    assert (installed.current, installed.previous) == (second, first)


def newer_than(installed):
    """The version that the checkout of a machine is."""
    before = installed.versions
    installed.run(status=-9, STUB_CUT=SYSUSERS)
    (built,) = installed.versions - before
    return built


def test_what_half_a_build_left_is_built_anew(machine):
    (machine.stubs / "pip-fails").touch()
    said, _ = machine.run(status=1)
    assert "is there internet" in said
    assert machine.versions == set()
    (machine.stubs / "pip-fails").unlink()
    machine.run()
    assert machine.versions == {machine.current}


def test_without_internet_all_comes_from_the_bundle(machine):
    for folder in ("wheels/bookworm", "debs/bookworm"):
        (machine.source / folder).mkdir(parents=True)
    (machine.source / "debs/bookworm/Packages").touch()
    _, done = machine.run()
    asked = [line for line in done.splitlines() if line.startswith(("apt-get", "python -m pip"))]
    assert len(asked) > len(PACKAGES)
    for line in asked:
        if line.startswith("apt-get"):
            assert "Dir::Etc::sourcelist=" in line
            assert "Dir::Etc::sourceparts=-" in line
        else:
            assert "--no-index" in line
    assert f"--find-links {machine.source}/wheels/bookworm" in done


def test_a_missing_part_is_skipped_aloud_and_a_needed_one_ends_it(machine):
    (machine.stubs / "unavailable").write_text("python3-picamera2\n")
    said, _ = machine.run()
    assert "SKIPPED    python3-picamera2 cannot be had here: no camera module" in said
    (machine.stubs / "packages").write_text("")
    (machine.stubs / "unavailable").write_text("python3-venv\n")
    said, _ = machine.run(status=1)
    assert "python3-venv could not be installed" in said


def test_taken_away_it_leaves_the_record_and_purged_it_leaves_nothing(installed):
    record = installed.root / "var/lib/uckers-table/matches/record.sqlite"
    password = installed.root / "var/lib/uckers-table-network/network.json"
    for path in (record, password):
        path.parent.mkdir(parents=True)
        path.touch()
    kept = {
        "etc/os-release",
        "etc/uckers-table.toml",
        "var/lib/uckers-table/matches/record.sqlite",
        "var/lib/uckers-table-network/network.json",
    }
    locks = {"run/lock/uckers-table-install"}
    installed.run("--uninstall", script=installed.root / "opt/uckers-table/install.sh")
    assert set(installed.files()) == kept | locks
    assert not (installed.root / "opt/uckers-table").exists()
    installed.run("--uninstall", "--purge")
    assert set(installed.files()) == {"etc/os-release"} | locks
    assert not (installed.stubs / "user").exists()


@pytest.mark.parametrize(
    ("release", "uid", "said"),
    [("bullseye", "0", "bookworm or trixie"), ("bookworm", "1000", "sudo ./install.sh")],
)
def test_a_machine_that_it_is_not_for_is_left_alone(machine, release, uid, said):
    (machine.root / "etc/os-release").write_text(f"VERSION_CODENAME={release}\n")
    before = machine.files()
    assert said in machine.run(status=1, STUB_UID=uid)[0]
    assert machine.files() == before


@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_all_that_the_program_needs_is_pinned_but_numpy_which_is_the_systems(suite):
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {re.match(r"[\w.-]+", need)[0].replace(".", "-") for need in needs}
    pinned = set(re.findall(r"^([\w-]+)==", (ROOT / "install" / f"{suite}.lock").read_text(), re.MULTILINE))
    assert names - pinned == {"numpy"}


LOCKS = sorted(
    str(path.relative_to(ROOT)) for path in [ROOT / "requirements.lock", *ROOT.glob("install/*.lock")]
)


@pytest.mark.parametrize("lock", LOCKS)
def test_no_picture_can_attack_the_opencv_that_is_pinned(lock):
    pinned = re.search(r"^opencv-python-headless==(\d+)\.(\d+)", (ROOT / lock).read_text(), re.MULTILINE)
    # CVE-2025-53644, by its own text: mended in 4.12.
    assert tuple(map(int, pinned.groups())) >= (4, 12)


LOOKER = """#!/usr/bin/env python3
import json, pathlib, sys
lock = pathlib.Path(sys.argv[-1])
(pathlib.Path(__file__).parent / "asked").open("a").write(lock.name + chr(10))
names = [line.partition("==")[0] for line in lock.read_text().splitlines() if line[:1].isalpha()]
fault = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["9.9"]}
packages = [{"name": name, "version": "1", "vulns": [fault] * (name == FAULTY)} for name in names]
for number in range(len(names) if FAULTY == "all unknown" else 1):
    packages[number] = {"name": names[number], "skip_reason": "not found"}
if FAULTY == "unreached":
    sys.exit("requests.exceptions.ConnectionError: Max retries exceeded with url: /")
print(json.dumps({"dependencies": packages}) if FAULTY != "broken" else "")
"""
"""A pip-audit whose list knows one fault, of one package, and does not know the first one."""


def audit(folder, faulty="none"):
    """What scripts/audit.py says, its exit status, and the locks that it had looked up."""
    looker = folder / "pip-audit"
    looker.write_text(LOOKER.replace("FAULTY", repr(faulty)))
    looker.chmod(0o755)
    options = ["--pip-audit", str(looker)]
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/audit.py", *options], capture_output=True, text=True
    )
    asked = folder / "asked"
    return done.stdout + done.stderr, done.returncode, asked.read_text().split() if asked.exists() else []


def test_an_audit_without_its_list_says_that_it_is_skipped(tmp_path):
    said, status, _ = audit(tmp_path, "unreached")
    assert (said, status) == (
        "SKIPPED    the audit: the list of known faults cannot be reached from here\n",
        0,
    )


def test_an_audit_looks_every_lock_up_and_fails_if_one_has_a_fault(tmp_path):
    said, status, locks = audit(tmp_path)
    assert (status, sorted(locks)) == (0, sorted(Path(lock).name for lock in LOCKS))
    assert said.startswith("SKIPPED    what the list of known faults does not have: anyio\nLooked up ")
    said, status, _ = audit(tmp_path, "graphviz")
    assert (status, said.splitlines()[-1]) == (1, "FAULT      graphviz 1: PYSEC-1 CVE-1, mended in 9.9")


def test_an_audit_without_an_answer_says_so_and_reports_no_clean_lock(tmp_path):
    said, status, _ = audit(tmp_path, "all unknown")
    assert (said, status) == (
        "SKIPPED    the audit: the list of known faults has none of the packages\n",
        0,
    )
    said, status, _ = audit(tmp_path, "broken")
    assert status == 1
    assert "pip-audit cannot read requirements.lock" in said


RELEASE = """\
Origin: {}
Label: {}
Codename: bookworm
Date: Sat, 10 Jun 2023 08:53:33 UTC
"""


@pytest.fixture
def apt(tmp_path):
    """Has apt read sources of a test's own, whose lists have come: archive, origin and label of each."""

    def use(*archives):
        lists, sources = tmp_path / "lists", tmp_path / "sources"
        lists.mkdir()
        sources.mkdir()
        for archive, origin, label in archives:
            with (sources / "all.list").open("a") as file:
                print(f"deb http://{archive} bookworm main", file=file)
            name = f"{archive.replace('/', '_')}_dists_bookworm"
            (lists / f"{name}_Release").write_text(RELEASE.format(origin, label))
            (lists / f"{name}_main_binary-amd64_Packages").touch()
        (tmp_path / "apt.conf").write_text(
            f'Dir::Etc::sourcelist "/dev/null"; Dir::Etc::sourceparts "{sources}/";'
            f'Dir::State::lists "{lists}/"; APT::Architecture "amd64"; APT::Architectures "amd64";'
        )
        return {**os.environ, "APT_CONFIG": str(tmp_path / "apt.conf")}

    return use


SECURITY = ("security.example/debian-security", "Debian", "Debian-Security")
MIRROR = ("mirror.example/pub/debian", "Debian", "Debian")
PI = ("pi.example/debian", "Raspberry Pi Foundation", "Raspberry Pi Foundation")
needs_apt = pytest.mark.skipif(shutil.which("apt-get") is None, reason="apt is not on this machine")


@needs_apt
def test_the_mirror_is_the_one_that_apt_has_for_debian(apt):
    done = subprocess.run(
        ["scripts/mirror.sh"], cwd=ROOT, env=apt(SECURITY, PI, MIRROR), capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, f"http://{MIRROR[0]}/\n"), done.stderr


@needs_apt
def test_where_apt_has_no_debian_it_is_said_in_one_line(apt):
    done = subprocess.run(
        ["scripts/mirror.sh"], cwd=ROOT, env=apt(SECURITY, PI), capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


@needs_apt
def test_raspberry_pi_s_own_archive_is_found_by_its_origin(apt, tmp_path):
    text = (ROOT / "scripts/bundle.sh").read_text()
    (function,) = re.findall(r"^raspberry_pi\(\) \{.*?^\}", text, re.MULTILINE | re.DOTALL)
    env = apt(SECURITY, MIRROR, PI)
    for suite, found in (("bookworm", f"{tmp_path}/sources/all.list 3\n"), ("trixie", "")):
        asked = ["bash", "-c", f"{function}\nraspberry_pi {suite}"]
        assert subprocess.run(asked, env=env, capture_output=True, text=True).stdout == found


NOBODY_S = re.compile(rb"(?:[\w-]+\.)*(?:w3\.org|local|localhost|example|x|y)|[\d.]+")
"""Hosts that are nobody's (RFC 2606, 6761), an address in numbers, or the name of XML's name space."""
CITED = re.compile(rb"\]\(https://[^)]*\)")
"""Who reads a document may be led elsewhere; nothing that runs is."""


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout")
def test_no_host_stands_by_name_in_the_repository():
    kept = subprocess.run(["git", "ls-files", "-z", ":!*.lock"], cwd=ROOT, capture_output=True, check=True)
    named = []
    for name in kept.stdout.decode().split("\0")[:-1]:
        content = (ROOT / name).read_bytes()
        text = CITED.sub(b"", content) if name.endswith(".md") else content
        if b"\0" not in content:
            hosts = re.findall(rb"\b[a-z+]+://([A-Za-z0-9][A-Za-z0-9.-]*)", text)
            named += [(name, host) for host in hosts if not NOBODY_S.fullmatch(host)]
    assert named == []


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not on this machine")
@pytest.mark.parametrize(
    "script",
    [
        "install.sh",
        "scripts/bundle.sh",
        "scripts/install_in_chroot.sh",
        "scripts/lock_table.sh",
        "scripts/micropython.sh",
        "scripts/mirror.sh",
        "scripts/prepare.sh",
    ],
)
def test_the_scripts_are_clean(script):
    done = subprocess.run(["shellcheck", script], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == ""
