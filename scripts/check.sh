#!/usr/bin/env bash
# All static checks. Those of the page run beside those of Python; the failed ones are listed at the end.
set -uo pipefail
cd "$(dirname "$0")/.."

results="$(mktemp -d)"
trap 'rm -rf "$results"' EXIT
check() {
  local name="$1"
  shift
  echo "--- $name"
  "$@" || echo "$name" >> "$results/failed"
}
npm() { .venv/bin/python hatch_build.py npm "$@"; }
fresh_types() {
  local made
  made="$(mktemp --suffix=.ts)"
  scripts/types.sh "$made" && diff -q "$made" web/src/api/schema.gen.ts >/dev/null
  local result=$?
  rm -f "$made"
  [ "$result" -eq 0 ] || echo "web/src/api/schema.gen.ts does not match the API. Next: make types, and commit it."
  return "$result"
}
no_registry_names() {
  ! grep -nE '"resolved"|https?://[^"]*registry' web/package-lock.json
}

check_python() {
  check "ruff check" .venv/bin/ruff check .
  check "ruff format" .venv/bin/ruff format --check .
  check "mypy" .venv/bin/mypy
  check "layers" .venv/bin/lint-imports
  check "docs/reference" .venv/bin/python scripts/reference.py --check
}
check_page() {
  check "biome" npm run --silent lint
  check "tsc" npm run --silent types
  check "generated types" fresh_types
  check "page size" npm run --silent budget
  check "package-lock.json names no registry" no_registry_names
}

check_page > "$results/page" 2>&1 &
check_python
wait
cat "$results/page"

if [ -s "$results/failed" ]; then
  echo "check: failed: $(paste -sd, "$results/failed")" >&2
  exit 1
fi
echo "check: all good"
