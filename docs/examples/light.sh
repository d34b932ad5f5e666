#!/bin/sh
# Lights a place and waits for the press: exits 0 if somebody presses, 2 if nobody does in time or the command is removed.
# A shell cannot receive callbacks, so this program asks every second; light.py and light.mjs wait for the callback.
#
#   API_KEY=my-key sh light.sh PLACE TEXT [QUANTITY]
#   API_KEY=my-key sh light.sh A-3-2 "Cable tie 200" 5
#
# PLACE is an alias, a label or a DeviceID. Optional: STATION_URL, SECONDS_LIT (60; 0: no limit) and COLOR (b).
set -eu

url=${STATION_URL:-http://127.0.0.1:4680/}
url=${url%/}
answer=$(mktemp)
trap 'rm -f "$answer" "$answer.body"' EXIT
trap 'exit 1' INT TERM

fail() {
  echo "$1" >&2
  exit 1
}

[ $# -ge 2 ] || fail "Usage: sh light.sh PLACE TEXT [QUANTITY]"
[ -n "${API_KEY:-}" ] || fail "Set API_KEY to a key of the station."

# The key goes through a pipe, because everybody on this machine can read arguments.
call() { # METHOD PATH [FILE]
  status=$(printf 'API-KEY: %s\ncontent-type: application/json\n' "$API_KEY" |
    curl -sS -X "$1" -H @- ${3:+--data-binary "@$3"} -o "$answer" -w '%{http_code}' "$url$2") ||
    fail "The station at $url cannot be reached."
  case $status in 2*) return ;; esac
  detail=$(field detail)
  fail "The station answered $status: ${detail:-$(cat "$answer")}"
}

# The first value of this name in the answer.
field() {
  awk -v name="\"$1\":" '{
    at = index($0, name)
    if (!at) next
    rest = substr($0, at + length(name))
    if (match(rest, /^"([^"\\]|\\.)*"/)) { rest = substr(rest, 2, RLENGTH - 2); gsub(/\\"/, "\"", rest) }
    else if (match(rest, /^\[[^]]*\]/)) rest = substr(rest, 2, RLENGTH - 2)
    else sub(/[,}].*/, "", rest)
    print rest
    exit
  }' "$answer"
}

# Text as JSON wants it.
quoted() { printf '"%s"' "$(printf '%s' "$1" | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g')"; }

# With a nonce a repeated call replaces the first one instead of queueing behind it.
cat >"$answer.body" <<END
{"command":"flash","location":$(quoted "$1"),"line1":$(quoted "$2"),"quantity":$(quoted "${3:-}"),
 "color":$(quoted "${COLOR:-b}"),"seconds":"${SECONDS_LIT:-60}","nonce":$(quoted "light-$1")}
END
call POST /api/devices/ "$answer.body"
id=$(field command_id)
warnings=$(field warnings)
[ -z "$warnings" ] || echo "Warning: $warnings" >&2
echo "$(field deviceid) is lit for $1."

while :; do
  call GET "/api/history/commands/$id/"
  case $(field state) in
    acknowledged)
      echo "Pressed, quantity $(field qty)."
      exit 0
      ;;
    # Somebody changed the quantity: another command has replaced this one.
    replaced) id=$(field replaced_by) ;;
    timedOut)
      echo "Nobody pressed in time." >&2
      exit 2
      ;;
    killed)
      echo "It was taken away." >&2
      exit 2
      ;;
    *) sleep 1 ;;
  esac
done
