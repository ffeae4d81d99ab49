#!/usr/bin/env bash
# Builds the sdist, then the wheel from that sdist, so that both have the same contents.
set -euo pipefail
cd "$(dirname "$0")/.."

rm -rf dist
# Without isolation: the build tools are those in .venv, which setup.sh installed by their hashes.
.venv/bin/python -m build --no-isolation --outdir dist .
ls -l dist
