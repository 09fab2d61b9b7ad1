"""What a card can hold after the power went, worked out from what a program wrote and synced.

`recorded` runs a program under strace and gives what it did to a folder, call by call. `Card`, made before
that, takes these calls one by one. At any of them it lays out what the card may hold if the power goes there.
That is stricter than most file systems: bytes are on it once their file is synced, and names once their
folder is. Whatever came after that may be there or not.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path

CALLS = (
    *("openat", "write", "pwrite64", "ftruncate", "fsync", "fdatasync", "syncfs"),
    *("rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "link", "linkat"),
)
LINE = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<(.*?)>)?(?: .*)?$", re.DOTALL)
UNFINISHED = re.compile(r"^(\d+) +(.*) <unfinished \.\.\.>$", re.DOTALL)
RESUMED = re.compile(r"^(\d+) +<\.\.\. \w+ resumed>(.*)$", re.DOTALL)
QUOTED = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
WAYS = ("least", "names", "torn", "most")
"""What the card holds of what was not synced: nothing, the names without the bytes, a random part, all."""


@dataclass(frozen=True)
class Call:
    """A call of the system that succeeded. `path` is the file's, `other` the one it was renamed from."""

    what: str
    path: str = ""
    other: str = ""
    data: bytes = b""
    offset: int | None = None
    """None at the end of the file, or where the call before ended."""
    flags: str = ""
    name: str = ""
    """The system's own name of the call."""


def is_strace_here():
    """Whether strace is installed and may trace."""
    command = ["strace", "-f", "true"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def recorded(command, folder, log):
    """Run a command to its end; what it did in a folder, and what it printed ("told"), in order."""
    trace = ["strace", "-f", "--seccomp-bpf", "-y", "-xx", "-s", "100000000", "-o", str(log)]
    subprocess.run([*trace, "-e", f"trace={','.join(CALLS)}", *command], check=True, stdout=subprocess.PIPE)
    with log.open(encoding="ascii") as lines:
        return list(_calls(lines, str(folder)))


def _calls(lines, folder):
    begun = {}
    for line in _joined(lines, begun):
        found = LINE.match(line)
        if found is None:
            continue
        _, name, arguments, result, opened = found.groups()
        if int(result) < 0:
            continue
        call = _call(name, arguments, int(result), _text(opened or ""))
        if call is not None and (call.what == "told" or call.path.startswith(folder)):
            yield replace(call, name=name)


def _joined(lines, begun):
    """The lines, those that another thread's came between made whole."""
    for line in lines:
        line = line.rstrip("\n")
        if found := UNFINISHED.match(line):
            begun[found[1]] = line[: -len(" <unfinished ...>")]
        elif found := RESUMED.match(line):
            yield begun.pop(found[1]) + found[2]
        else:
            yield line


def _call(name, arguments, result, opened):
    strings = [bytes.fromhex(each.replace("\\x", "")) for each in QUOTED.findall(arguments)]
    if name == "openat":
        return Call("open", opened, flags=arguments)
    if name in ("write", "pwrite64"):
        path = _described(arguments)
        if arguments.startswith("1<"):
            return Call("told", data=strings[0][:result])
        offset = int(arguments.rsplit(", ", 1)[1]) if name == "pwrite64" else None
        return Call("write", path, data=strings[0][:result], offset=offset)
    if name == "ftruncate":
        return Call("size", _described(arguments), offset=int(arguments.rsplit(", ", 1)[1]))
    if name == "syncfs":
        return Call("sync all", _described(arguments))
    if name in ("fsync", "fdatasync"):
        return Call("sync", _described(arguments))
    if name.startswith("link"):
        return Call("link", strings[1].decode(), strings[0].decode())
    if name.startswith("rename"):
        return Call("rename", strings[1].decode(), strings[0].decode())
    if name in ("unlink", "unlinkat", "rmdir"):
        return Call("remove", strings[0].decode())
    return Call("folder", strings[0].decode())


def _described(arguments):
    """The path of the file that the first argument is a descriptor of."""
    return _text(arguments[arguments.index("<") + 1 : arguments.index(">")])


def _text(escaped):
    return re.sub(r"\\x([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), escaped)


@dataclass
class File:
    """A file: the bytes on the card, and what was done to it since, as (offset, bytes) or a new size."""

    synced: bytes = b""
    since: list = field(default_factory=list)
    now: bytearray = field(default_factory=bytearray)
    place: int = 0
    appends: bool = False

    def write(self, offset, data):
        self.since.append((offset, data))
        _put(self.now, offset, data)
        self.place = offset + len(data)

    def cut(self, size):
        self.since.append(size)
        _cut(self.now, size)

    def sync(self):
        self.synced = bytes(self.now)
        self.since.clear()

    def left(self, way, draw):
        """The bytes that are left of it."""
        if way in ("least", "names"):
            return self.synced
        if way == "most":
            return bytes(self.now)
        content = bytearray(self.synced)
        for each in self.since[: draw.randint(0, len(self.since))]:
            if isinstance(each, int):
                _cut(content, each)
            elif draw.random() < 0.9:
                offset, data = each
                _put(content, offset, data[: draw.choice([len(data), draw.randint(0, len(data))])])
        return bytes(content)


@dataclass
class Folder:
    """A folder: the names on the card, and what was done to it since, as (name, what it is of or None)."""

    synced: dict = field(default_factory=dict)
    since: list = field(default_factory=list)
    now: dict = field(default_factory=dict)

    def name(self, name, node):
        self.since.append((name, node))
        _name(self.now, name, node)

    def sync(self):
        self.synced = dict(self.now)
        self.since.clear()

    def sync_all(self):
        self.sync()
        for node in self.now.values():
            node.sync_all() if isinstance(node, Folder) else node.sync()

    def left(self, way, draw):
        """The names that are left in it."""
        if way == "least":
            return self.synced
        if way in ("names", "most"):
            return self.now
        names = dict(self.synced)
        for name, node in self.since[: draw.randint(0, len(self.since))]:
            _name(names, name, node)
        return names


def _put(content, offset, data):
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def _cut(content, size):
    content.extend(bytes(max(0, size - len(content))))
    del content[size:]


def _name(names, name, node):
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


class Card:
    """What is in a folder, on the card and in the system's memory; at first what lies there now."""

    def __init__(self, folder):
        self._at = Path(folder)
        self._root = _loaded(self._at)

    def do(self, call):
        """Take a call of the system."""
        path = Path(call.path)
        if call.what == "open":
            self._open(path, call.flags)
        elif call.what == "write":
            file = self._of(path)
            at_end = len(file.now) if file.appends else file.place
            file.write(at_end if call.offset is None else call.offset, call.data)
        elif call.what == "size":
            self._of(path).cut(call.offset)
        elif call.what == "sync":
            self._of(path).sync()
        elif call.what == "sync all":
            self._root.sync_all()
        elif call.what == "folder":
            self._of(path.parent).name(path.name, Folder())
        elif call.what == "remove":
            self._of(path.parent).name(path.name, None)
        elif call.what == "link":
            self._of(path.parent).name(path.name, self._of(Path(call.other)))
        elif call.what == "rename":
            node, old = self._of(Path(call.other)), Path(call.other)
            self._of(path.parent).name(path.name, node)
            self._of(old.parent).name(old.name, None)

    def _open(self, path, flags):
        if path == self._at:
            return
        parent = self._of(path.parent)
        if path.name not in parent.now:
            assert "O_CREAT" in flags, f"{path} was opened, and nobody made it"
            parent.name(path.name, File())
        node = parent.now[path.name]
        if isinstance(node, File):
            node.place, node.appends = 0, "O_APPEND" in flags
            if "O_TRUNC" in flags and node.now:
                node.cut(0)

    def _of(self, path):
        node = self._root
        for part in path.relative_to(self._at).parts:
            node = node.now[part]
        return node

    def lay_out(self, target, way, draw):
        """Lay out in a folder, which is made anew, what the card holds if the power goes now."""
        shutil.rmtree(target, ignore_errors=True)
        _lay_out(self._root, target, way, draw)


def _loaded(folder):
    names = {}
    for path in folder.iterdir():
        content = None if path.is_dir() else path.read_bytes()
        names[path.name] = _loaded(path) if content is None else File(content, [], bytearray(content))
    return Folder(names, [], dict(names))


def _lay_out(folder, target, way, draw):
    target.mkdir()
    for name, node in folder.left(way, draw).items():
        if isinstance(node, Folder):
            _lay_out(node, target / name, way, draw)
        else:
            (target / name).write_bytes(node.left(way, draw))
