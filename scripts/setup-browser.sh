#!/usr/bin/env bash
# Installs Chromium for the acceptance tests, unless one is on PATH.
set -euo pipefail

for name in chromium chromium-browser google-chrome google-chrome-stable; do
  command -v "$name" >/dev/null && exit 0
done

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
    echo "setup: the browser tests need Chromium, but this account may not install packages." >&2
    echo "Next: ask for 'apt-get install chromium', or put google-chrome on PATH, then run this again." >&2
    exit 1
  fi
  as_root=(sudo -n)
fi
if ! command -v apt-get >/dev/null; then
  echo "setup: the browser tests need Chromium, but there is no apt-get to install it." >&2
  echo "Next: install Chromium or Google Chrome with your package manager and run this again." >&2
  exit 1
fi
echo "setup: installing Chromium for the browser tests" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq >&2
"${as_root[@]}" apt-get install -y -qq --no-install-recommends chromium >&2
