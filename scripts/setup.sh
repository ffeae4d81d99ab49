#!/usr/bin/env bash
# Creates .venv, installs the package and builds the page; skips steps that are already done.
# Usage: scripts/setup.sh run | dev     (run = what the first page shows, dev = every extra and the test tools)
set -euo pipefail
cd "$(dirname "$0")/.."

profile="${1:-run}"
case "$profile" in
  run) target=".[sb3,box2d,scripts]" ;;
  dev) target=".[dev]" ;;
  *) echo "setup: unknown profile '$profile'; use run or dev." >&2; exit 2 ;;
esac

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

install_package() {
  local stamp=".venv/.installed-$profile" digest
  digest="$(cat pyproject.toml constraints.txt hatch_build.py | sha256sum)"
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$digest" ] && return
  echo "setup: installing $target (the first time takes a few minutes)" >&2
  # The page is built below with the same code, which also detects later changes of web/.
  if ! RL_LAB_WEB=skip .venv/bin/python -m pip install -q --disable-pip-version-check \
      -c constraints.txt torch==2.13.0 -e "$target"; then
    echo "setup: pip could not install $target." >&2
    echo "Next: read pip's message above; it needs network access, or a local index set with PIP_INDEX_URL." >&2
    exit 1
  fi
  echo "$digest" > "$stamp"
  [ "$profile" = dev ] && echo "$digest" > .venv/.installed-run
  return 0
}

make_venv
install_package
.venv/bin/python hatch_build.py
