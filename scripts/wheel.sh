#!/usr/bin/env bash
# Builds the sdist, then the wheel from that sdist, so that both have the same contents.
set -euo pipefail
cd "$(dirname "$0")/.."

rm -rf dist
.venv/bin/python -c 'import build' 2>/dev/null || .venv/bin/python -m pip install -q --disable-pip-version-check build
.venv/bin/python -m build --outdir dist .
ls -l dist
