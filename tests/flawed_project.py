"""A small project whose flaws are known, file by file."""

from __future__ import annotations

from pathlib import Path

ORDERS = '''\
"""Orders of a nursery."""

import os
import subprocess


def label(number: int) -> str:
    return number


def pack(name: str) -> int:
    return subprocess.call("pack " + name, shell=True)


def never_called() -> None:
    return None
    print("unreachable")
'''
TANGLED = (
    "def sort_bulb(size, colour, age, depth):\n"
    + "".join(f"    if size == {number} and colour != {number}:\n        return {number}\n" for number in range(12))
    + "    return age + depth\n"
)
FILES = {
    "orders.py": ORDERS,
    "pack-age/tangled.py": TANGLED,
    "broken.py": "def plant(:\n    pass\n",
    "page.js": "export function sow(beds) { return beds.map(bed => bed.rows); }\n",
    "torn.js": "const const = 1;\n",
    "count.c": "int main(void) { int unused; return 0; }\n",
    "empty/__init__.py": "",
    ".hidden/secret.py": "import os\n",
    "node_modules/left/index.js": "function (\n",
    "notes.txt": "nothing to check",
}


def write_flawed(root: Path) -> Path:
    """Write the project below a folder and return it."""
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
