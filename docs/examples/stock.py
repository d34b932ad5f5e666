#!/usr/bin/env python3
"""Writes stock figures to displays, as statics: each row of a CSV file, 500 rows in one request.

    API_KEY=my-key python3 stock.py stock.csv

The first row names the fields, such as location,statica,quantity (or deviceid instead of location), or any other field of
statics. An empty cell changes nothing. Prints each refused row with its line, writes the others, and then exits 1.
Optional: STATION_URL.
"""
import csv
import json
import os
import sys
import urllib.error
import urllib.request

STATION_URL = os.environ.get("STATION_URL", "http://127.0.0.1:4680/").rstrip("/")
API_KEY = os.environ.get("API_KEY", "")
AT_ONCE = 500


def call(method, path, body):
    request = urllib.request.Request(STATION_URL + path, json.dumps(body).encode(), method=method)
    request.add_header("API-KEY", API_KEY)
    request.add_header("content-type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        text = error.read().decode(errors="replace")
        try:
            text = json.loads(text)["detail"]
        except (ValueError, KeyError, TypeError):
            pass
        sys.exit(f"The station answered {error.code}: {text}")
    except OSError as error:
        sys.exit(f"The station at {STATION_URL} cannot be reached: {error}")


def read(name):
    """The rows, with the lines on which they end, without the byte order mark of a spreadsheet."""
    try:
        with open(name, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, strict=True)
            return [(reader.line_num, {field: cell for field, cell in row.items() if cell}) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        sys.exit(f"{name} cannot be read: {error}")


def main():
    if len(sys.argv) != 2:
        sys.exit("Usage: python3 stock.py FILE.csv")
    if API_KEY == "":
        sys.exit("Set API_KEY to a key of the station.")
    rows = read(sys.argv[1])
    for line, row in rows:
        if None in row:
            sys.exit(f"Line {line} has more cells than the first row. Nothing was sent.")
    written = 0
    for start in range(0, len(rows), AT_ONCE):
        part = rows[start : start + AT_ONCE]
        # The answer has one element for each of the request, in the same order.
        for (line, _), result in zip(part, call("POST", "/api/devices/", [row for _, row in part])):
            if result["status"] == 200:
                written += 1
            else:
                print(f"Line {line} was refused: {result['detail']}", file=sys.stderr)
            for warning in result.get("warnings", []):
                print(f"Line {line}: warning: {warning}", file=sys.stderr)
    print(f"{written} of {len(rows)} rows are on their displays.")
    if written < len(rows):
        sys.exit(1)


main()
