#!/usr/bin/env bash
# Creates .venv, installs the package and builds the page; skips steps that are already done.
# Usage: scripts/setup.sh run | dev     (run = what the first page shows, dev = every extra and the test tools)
# Packages come from requirements/, each file compared with its recorded hash.
set -euo pipefail
cd "$(dirname "$0")/.."

profile="${1:-run}"
lock="requirements/$profile.txt"
if [ ! -f "$lock" ] || [ "$profile" = node ]; then
  echo "setup: unknown profile '$profile'; use run or dev." >&2
  exit 2
fi

find_python() {
  local name
  for name in "${PYTHON:-python3}" python3 python3.13 python3.12 python3.11; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  echo "setup: RL Lab needs Python 3.11 or newer; found: $(python3 --version 2>&1 || echo none)." >&2
  echo "Next: install one (Debian: apt-get install python3 python3-venv) or set its path: PYTHON=/path/to/python3 make run." >&2
  exit 1
}

make_venv() {
  [ -x .venv/bin/python ] && return
  local python
  python="$(find_python)"
  echo "setup: creating .venv with $("$python" --version)" >&2
  if ! "$python" -m venv .venv; then
    rm -rf .venv
    echo "setup: $python could not create a virtual environment." >&2
    echo "Next: install its venv module (Debian: apt-get install python3-venv) and run this again." >&2
    exit 1
  fi
}

pip() { .venv/bin/python -m pip "$@" --disable-pip-version-check; }

# Installs with pip and explains a failure; pip's own message comes first.
install() {
  local messages status=0 mismatch=0
  messages="$(mktemp)"
  pip install -q "$@" 2>"$messages" || status=$?
  cat "$messages" >&2
  grep -q "DO NOT MATCH THE HASHES" "$messages" && mismatch=1
  rm -f "$messages"
  [ "$status" -eq 0 ] && return
  if [ "$mismatch" -eq 1 ]; then
    echo "setup: a package is not the tested file: its hash is not in $lock. It was not installed." >&2
    echo "Next: try again from another network or index (PIP_INDEX_URL); if it stays, report it as SECURITY.md says." >&2
  else
    echo "setup: pip could not install what $lock lists." >&2
    echo "Next: read pip's message above; it needs network access, or a local index set with PIP_INDEX_URL." >&2
  fi
  exit 1
}

install_package() {
  local stamp=".venv/.installed-$profile" digest
  digest="$(cat pyproject.toml constraints.txt requirements/*.txt hatch_build.py | sha256sum)"
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$digest" ] && return
  echo "setup: installing $lock (the first time takes a few minutes)" >&2
  install --require-hashes --no-deps -r "$lock"
  # By version, not by hash: the CPU, CUDA and local builds of a version are different files. What it needs is there
  # already, except for the CUDA libraries of a CUDA build.
  install -c constraints.txt "$(grep -o '^torch==[^ ]*' constraints.txt)"
  # The page is built below with the same code, which also detects later changes of web/.
  RL_LAB_WEB=skip install --no-deps --no-build-isolation -e .
  pip check >&2 || echo "setup: the packages in .venv do not fit together (above). Next: make clean, and run this again." >&2
  echo "$digest" > "$stamp"
  [ "$profile" = dev ] && echo "$digest" > .venv/.installed-run
  return 0
}

make_venv
install_package
.venv/bin/python hatch_build.py
