#!/usr/bin/env python3
"""Leads a worker along places, one group after the other: exits 0 if all are pressed, 2 if the round stalls.

    API_KEY=my-key python3 round.py NAME GROUP...
    API_KEY=my-key python3 round.py morning A-1-1 A-1-2,A-2-1
    API_KEY=my-key python3 round.py morning

Each GROUP is one place, or several separated by commas, which light together; the next group follows when all are pressed.
Without a group, launches the existing round NAME from its beginning, or from where it stalled. Optional: STATION_URL,
SECONDS_LIT (60; 0: no limit) and COLOR (b).
"""
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

STATION_URL = os.environ.get("STATION_URL", "http://127.0.0.1:4680/").rstrip("/")
API_KEY = os.environ.get("API_KEY", "")


def call(method, path, body=None, expected=()):
    """The answer; None if its status is one of the expected ones."""
    request = urllib.request.Request(STATION_URL + path, method=method)
    request.add_header("API-KEY", API_KEY)
    request.add_header("content-type", "application/json")
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request, data, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code in expected:
            return None
        text = error.read().decode(errors="replace")
        try:
            text = json.loads(text)["detail"]
        except (ValueError, KeyError, TypeError):
            pass
        sys.exit(f"The station answered {error.code}: {text}")
    except OSError as error:
        sys.exit(f"The station at {STATION_URL} cannot be reached: {error}")


def save(name, groups):
    look = {"command": "flash", "color": os.environ.get("COLOR", "b"), "seconds": os.environ.get("SECONDS_LIT", "60")}
    steps = [
        {**look, "order": order, "location": place, "line1": f"{order} of {len(groups)}"}
        for order, group in enumerate(groups, start=1)
        for place in group.split(",")
    ]
    # A sequence of this name may exist: give it these steps.
    made = call("POST", "/api/sequence/", {"sequenceid": name, "steps": steps}, expected=[409])
    return made or call("PUT", path_of(name), {"steps": steps})


def path_of(name, kind="sequence"):
    return f"/api/{kind}/{urllib.parse.quote(name, safe='')}/"


def main():
    if len(sys.argv) < 2:
        sys.exit("Usage: python3 round.py NAME [GROUP...]")
    if API_KEY == "":
        sys.exit("Set API_KEY to a key of the station.")
    name, groups = sys.argv[1], sys.argv[2:]
    if groups:
        for warning in save(name, groups)["warnings"]:
            print(f"Warning: {warning}", file=sys.stderr)
    for warning in call("GET", path_of(name, "launchsequence"))["warnings"]:
        print(f"Warning: {warning}", file=sys.stderr)

    known = {}
    while True:
        sequence = call("GET", path_of(name))
        for index, step in enumerate(sequence["steps"]):
            state = step["state"]
            if known.get(index) != state and state != "pending":
                print(f"{step.get('location') or step['deviceid']}: {state}", flush=True)
            known[index] = state
        if sequence["state"] == "completed":
            print("The round is complete.")
            return
        if sequence["state"] != "in-progress":
            print(f"The round has stalled. To continue: python3 round.py {name}", file=sys.stderr)
            sys.exit(2)
        time.sleep(1)


main()
