#!/bin/sh
# Starts Pickstation. Chromium draws the window in processes without rights, which need user namespaces or a helper
# that the system trusts. Where a system forbids both, Chromium ends the program before it can say why. Then this
# starts the station without a window, and the program says what to do.

here=$(dirname "$(readlink -f "$0")")
program=$here/pickstation.bin

# Prints what forbids the window; nothing where nothing does.
forbidden_by() {
  # Electron refuses root itself, and says so.
  [ "$(id -u)" = 0 ] && return
  # Of a mounted AppImage the system trusts nothing.
  if [ -z "$APPIMAGE" ] && [ -u "$here/chrome-sandbox" ] && [ "$(stat -c %u "$here/chrome-sandbox")" = 0 ]; then
    return
  fi
  if [ "$(cat /proc/sys/user/max_user_namespaces 2>/dev/null)" = 0 ]; then
    echo limit
  elif [ "$(cat /proc/sys/kernel/unprivileged_userns_clone 2>/dev/null)" = 0 ]; then
    echo kernel
  elif [ "$(cat /proc/sys/kernel/apparmor_restrict_unprivileged_userns 2>/dev/null)" = 1 ]; then
    grep -qsrF "\"$program\"" /etc/apparmor.d || echo apparmor
  elif command -v unshare >/dev/null && ! unshare --user --map-root-user true 2>/dev/null; then
    echo other
  fi
}

for argument in "$@"; do
  case $argument in
    --no-sandbox | --in-browser | --help | -h) exec "$program" "$@" ;;
  esac
done
reason=$(forbidden_by)
[ -z "$reason" ] && exec "$program" "$@"
exec "$program" --no-sandbox "--in-browser=$reason" "$@"
