#!/bin/sh
# Made by Pickstation for its menu item "Start when I sign in", which replaces and removes this file.
# A systemd of this user starts the program, and again after a crash: at most five starts in five minutes. Its log:
# journalctl --user -u pickstation-login. Without such a systemd this starts the program, and nothing starts it again.

# The display, the bus and the desktop are in variables of the session, which systemd does not know of itself.
variables=$(env | LC_ALL=C sed -n -E \
  -e '/[[:cntrl:]]/d' \
  -e '/^(INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_EXEC_PID|MANAGERPID|NOTIFY_SOCKET|LISTEN_[A-Z]+|_)=/d' \
  -e 's/^([A-Za-z_][A-Za-z0-9_]*)=.*/--setenv=\1/p')

# It ends its parts itself (KillMode): what else it started, such as a browser, outlives it. The kernel may end a part
# that takes too much memory, which it replaces (OOMPolicy).
# shellcheck disable=SC2086,SC1083 # One word a variable; Pickstation fills in the program.
systemd-run --user --quiet --collect --unit=pickstation-login --description=Pickstation --service-type=simple \
  --property=PartOf=graphical-session.target \
  --property=Restart=on-abnormal --property=RestartSec=3 \
  --property=StartLimitIntervalSec=5min --property=StartLimitBurst=5 \
  --property=OOMPolicy=continue --property=KillMode=process --property=TimeoutStopSec=15 \
  $variables -- {{supervised}} && exit
# shellcheck disable=SC1083
exec {{plain}}
