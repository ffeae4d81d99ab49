#!/usr/bin/env bash
# Starts the lab on port 8642 and Vite's dev server in front of it; Ctrl-C stops both.
set -euo pipefail
cd "$(dirname "$0")/.."

.venv/bin/rl-lab serve --no-browser "$@" &
lab=$!
trap 'kill "$lab" 2>/dev/null || true; wait "$lab" 2>/dev/null || true' EXIT
.venv/bin/python hatch_build.py npm run dev
