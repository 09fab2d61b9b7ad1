"""Looks every pinned package up in PyPI's list of known faults, with pip-audit: `make audit`.

The exit status is 1 if a package has a fault, and where pip-audit does not work. Where the list or pip-audit
cannot be reached, it says that it was skipped, and the status is 0: nothing here may need a network. It also
says which packages the list does not know.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
UNREACHED = ("ConnectionError", "Max retries exceeded", "NameResolutionError", "timed out", "Timeout")
"""What pip-audit complains of where it cannot reach the list of known faults."""


def pip_audit_in(folder: Path) -> Path | None:
    """pip-audit in an environment of its own, since the project does not pin what it needs; None without."""
    try:
        venv.create(folder, with_pip=True)
        pip = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "pip-audit"]
        subprocess.run(pip, check=True, capture_output=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return folder / "bin/pip-audit"


def looked_up(lock: Path, pip_audit: Path) -> list[dict[str, Any]] | None:
    """The packages that a lock pins, each with its known faults, as pip-audit writes them; None where it
    cannot reach the list.
    """
    options = ["--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    asked = subprocess.run([pip_audit, *options, "-r", str(lock)], capture_output=True, text=True)
    try:
        packages: list[dict[str, Any]] = json.loads(asked.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        if any(words in asked.stderr for words in UNREACHED):
            return None
        sys.exit(f"pip-audit cannot read {lock.relative_to(ROOT)}:\n{asked.stderr}")
    return packages


def report(packages: list[dict[str, Any]]) -> int:
    """Say which packages have a fault, and which the list does not know. The exit status."""
    unknown = sorted({package["name"] for package in packages if "skip_reason" in package})
    known = [package for package in packages if "skip_reason" not in package]
    if not known:
        print("SKIPPED    the audit: the list of known faults has none of the packages")
        return 0
    if unknown:
        print(f"SKIPPED    what the list of known faults does not have: {', '.join(unknown)}")
    faults = {
        f"FAULT      {package['name']} {package['version']}: {fault['id']} {' '.join(fault['aliases'])}, "
        f"mended in {', '.join(fault['fix_versions']) or 'no version yet'}"
        for package in known
        for fault in package["vulns"]
    }
    names = {package["name"] for package in known}
    print("\n".join(sorted(faults)) or f"Looked up  {len(names)} packages: no known fault")
    return 1 if faults else 0


def main() -> int:
    """Look all locks up. The exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pip-audit", type=Path, help="a pip-audit that is there already")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pip_audit = arguments.pip_audit or pip_audit_in(Path(folder))
        if pip_audit is None:
            print("SKIPPED    the audit: pip-audit cannot be installed from here")
            return 0
        packages: list[dict[str, Any]] = []
        for lock in [ROOT / "requirements.lock", *sorted(ROOT.glob("install/*.lock"))]:
            found = looked_up(lock, pip_audit)
            if found is None:
                print("SKIPPED    the audit: the list of known faults cannot be reached from here")
                return 0
            packages += found
        return report(packages)


if __name__ == "__main__":
    sys.exit(main())
