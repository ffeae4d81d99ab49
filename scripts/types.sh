#!/usr/bin/env bash
# Writes the TypeScript types of the API to the given file, without starting a server.
set -euo pipefail
cd "$(dirname "$0")/.."

target="$(realpath -m "${1:-web/src/api/schema.gen.ts}")"
document="$(mktemp --suffix=.json)"
trap 'rm -f "$document"' EXIT
.venv/bin/python -m rl_lab.api > "$document"
# A request may leave out fields with a default; the document defines which fields a response always has.
.venv/bin/python hatch_build.py npm run --silent schema -- "$document" --default-non-nullable=false --output "$target" > /dev/null
