#!/bin/sh
# Writes stock figures to displays, as statics: each row of a CSV file, 500 rows in one request.
#
#   API_KEY=my-key sh stock.sh stock.csv
#
# The first row names the fields, such as location,statica,quantity (or deviceid instead of location), or any other field of
# statics. An empty cell changes nothing. Prints each refused row with its line, writes the others, and then exits 1.
# Optional: STATION_URL. Cells can have quotes around them, but no line breaks in them.
set -eu

url=${STATION_URL:-http://127.0.0.1:4680/}
url=${url%/}

fail() {
  echo "$1" >&2
  exit 1
}

[ $# -eq 1 ] || fail "Usage: sh stock.sh FILE.csv"
[ -r "$1" ] || fail "$1 cannot be read."
[ -n "${API_KEY:-}" ] || fail "Set API_KEY to a key of the station."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

# Bodies of 500 elements each, part-0001.json and so on, and for each body the lines of its elements in the file.
LC_ALL=C awk -v folder="$folder" '
  function cells(row,    n, cell, c, i, inside) {
    n = 1; cell = ""; inside = 0
    for (i = 1; i <= length(row); i++) {
      c = substr(row, i, 1)
      if (inside && c == "\"" && substr(row, i + 1, 1) == "\"") { cell = cell c; i++ }
      else if (c == "\"") inside = !inside
      else if (c == "," && !inside) { cell_of[n++] = cell; cell = "" }
      else cell = cell c
    }
    cell_of[n] = cell
    return inside ? 0 : n
  }
  function json(text,    c, i, out) {
    for (i = 1; i <= length(text); i++) {
      c = substr(text, i, 1)
      out = out (c == "\"" || c == "\\" ? "\\" c : c < " " ? " " : c)
    }
    return "\"" out "\""
  }
  { sub(/\r$/, "") }
  NR == 1 { sub(/^\357\273\277/, ""); columns = cells($0); for (i = 1; i <= columns; i++) name[i] = cell_of[i]; next }
  $0 == "" { next }
  {
    n = cells($0)
    if (n != columns) { print "Line " NR " has not " columns " cells. Nothing was sent." > "/dev/stderr"; exit 1 }
    element = ""
    for (i = 1; i <= n; i++) if (cell_of[i] != "") element = element (element == "" ? "" : ",") json(name[i]) ":" json(cell_of[i])
    if (count++ % 500 == 0) {
      if (file != "") { printf "]" > file; close(file); close(lines) }
      file = sprintf("%s/part-%04d.json", folder, ++part); lines = sprintf("%s/part-%04d.lines", folder, part)
      printf "[" > file
    } else printf ",\n" > file
    printf "{%s}", element > file
    print NR > lines
  }
  END { if (file != "") printf "]" > file }
' "$1" || exit 1

failed=0
for body in "$folder"/part-*.json; do
  [ -e "$body" ] || fail "$1 has no rows."
  # The key goes through a pipe, because everybody on this machine can read arguments.
  status=$(printf 'API-KEY: %s\ncontent-type: application/json\n' "$API_KEY" |
    curl -sS -H @- --data-binary "@$body" -o "$folder/answer" -w '%{http_code}' "$url/api/devices/") ||
    fail "The station at $url cannot be reached."
  case $status in
    200 | 207) ;;
    *) fail "The station answered $status: $(sed 's/.*"detail":"//; s/"[,}].*//; s/\\"/"/g' "$folder/answer")" ;;
  esac
  # One element of the answer per line, beside the line of the file to which it belongs.
  sed 's/{"status":/\
{"status":/g' "$folder/answer" | sed 1d | paste "${body%.json}.lines" - >"$folder/rows"
  awk -F '\t' '
    function after(text, name) { return substr(text, index(text, name) + length(name)) }
    function plain(text) { gsub(/\\"/, "\"", text); return text }
    $2 !~ /^\{"status":200/ {
      detail = after($2, "\"detail\":\""); sub(/","errors".*/, "", detail)
      print "Line " $1 " was refused: " plain(detail); bad = 1
    }
    $2 ~ /"warnings":\["/ {
      warnings = after($2, "\"warnings\":[\""); sub(/"\]\}.*/, "", warnings); gsub(/","/, " ", warnings)
      print "Line " $1 ": warning: " plain(warnings)
    }
    END { exit bad }
  ' "$folder/rows" >&2 || failed=1
done
if [ $failed -eq 0 ]; then echo "Every row is on its display."; else fail "The other rows are on their displays."; fi
