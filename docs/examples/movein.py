#!/usr/bin/env python3
"""Moves in from another server of the same API: devices, labels, statics and location aliases.

    OLD_URL=https://old.example OLD_API_KEY=old-key API_KEY=my-key python3 movein.py [--dry-run]

--dry-run prints what would be written, and writes nothing. To continue after an interruption, run the program again: it skips
what is done. It removes nothing at the station and writes nothing to the other server. It registers devices that the station
does not know, which needs an admin's key. Optional: STATION_URL.
"""
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

OLD = (os.environ.get("OLD_URL", "").rstrip("/"), os.environ.get("OLD_API_KEY", ""))
NEW = (os.environ.get("STATION_URL", "http://127.0.0.1:4680/").rstrip("/"), os.environ.get("API_KEY", ""))
DRY_RUN = "--dry-run" in sys.argv[1:]
AT_ONCE = 500
# The fields to copy. The condition of a device and its open commands are not copied.
FIELDS = (
    "locationoverride statica staticb staticc staticd statice arrow barcode qrcode quantity icon unsolicitedNonce brightness"
).split()

counts = {}


class Refused(Exception):
    pass


def count(what, detail=""):
    counts[what] = counts.get(what, 0) + 1
    if detail:
        print(f"{what}: {detail}", file=sys.stderr if what == "failed" else sys.stdout)


def call(server, method, path, body=None):
    url, key = server
    request = urllib.request.Request(url + path, method=method)
    request.add_header("API-KEY", key)
    request.add_header("content-type", "application/json")
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request, data, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        text = error.read().decode(errors="replace")
        try:
            text = json.loads(text)["detail"]
        except (ValueError, KeyError, TypeError):
            pass
        raise Refused(f"{url} answered {error.code}: {text}") from None
    except (OSError, ValueError) as error:
        sys.exit(f"{url} cannot be reached, or is no such server: {error}")


def device_path(device_id):
    return f"/api/device/{urllib.parse.quote(device_id, safe=':')}/"


def kept(device):
    """The fields above of an answer, with one form of empty values."""
    return {field: "" if device[field] is None else device[field] for field in FIELDS if field in device}


def move_devices():
    station = call(NEW, "GET", "/api/station/")
    here = {device["deviceid"] for device in station["devices"]}
    may_register = "manage_devices" in station["user"]["rights"]
    changes = []
    for device_id in call(OLD, "GET", "/api/device/"):
        device_id = device_id.upper()
        try:
            old = call(OLD, "GET", device_path(device_id))
            before = {}
            if device_id in here:
                before = kept(call(NEW, "GET", device_path(device_id)))
            else:
                if DRY_RUN and not may_register:
                    raise Refused("API_KEY may not register devices here. Use a key of scope admin.")
                if not DRY_RUN:
                    buttons = 3 if old.get("buttons") == 3 else 1
                    call(NEW, "POST", "/api/device/", {"deviceid": device_id, "buttons": buttons})
                count("device registered", device_id)
        except Refused as error:
            count("failed", f"{device_id}: {error}")
            continue
        change = {field: value for field, value in kept(old).items() if str(before.get(field, "")) != str(value)}
        if change:
            changes.append({"deviceid": device_id, **change})
        else:
            count("device unchanged")
    for start in range(0, len(changes), AT_ONCE):
        part = changes[start : start + AT_ONCE]
        results = [{"status": 200}] * len(part) if DRY_RUN else call(NEW, "POST", "/api/devices/", part)
        for change, result in zip(part, results):
            if result["status"] == 200:
                count("device written", json.dumps(change, ensure_ascii=False))
            else:
                count("failed", f"{change['deviceid']}: {result['detail']}")
            for warning in result.get("warnings", []):
                print(f"Warning for {change['deviceid']}: {warning}", file=sys.stderr)


def comparable(text):
    return " ".join(str(text).split()).upper()


def move_aliases():
    here = {comparable(alias["name"]): alias for alias in call(NEW, "GET", "/api/location-aliases/")}
    for old in call(OLD, "GET", "/api/location-aliases/"):
        wanted = {"name": old["name"].strip(), "deviceid": old["deviceid"].upper(), "deviceIs": old["deviceIs"]}
        there = here.get(comparable(old["name"]))
        if there and all(comparable(there[field]) == comparable(wanted[field]) for field in wanted):
            count("alias unchanged")
            continue
        try:
            if there and not DRY_RUN:
                call(NEW, "PUT", f"/api/location-aliases/{there['id']}/", wanted)
            elif not DRY_RUN:
                call(NEW, "POST", "/api/location-aliases/", wanted)
            count("alias written", json.dumps(wanted, ensure_ascii=False))
        except Refused as error:
            count("failed", f"{wanted['name']}: {error}")


BEFORE_ORDERS = (
    "Before you launch orders: give every place its label or alias, send whole quantities, "
    "and let programs sign in again on 401 (docs/moving-in.md)."
)


def named(what, number):
    return what if number == 1 else what.replace("device ", "devices ").replace("alias ", "aliases ")


def main():
    for name in ("OLD_URL", "OLD_API_KEY", "API_KEY"):
        if not os.environ.get(name):
            sys.exit(f"Set {name}. Usage: python3 movein.py [--dry-run]")
    try:
        # Devices first: an alias needs its device.
        move_devices()
        move_aliases()
    except Refused as error:
        sys.exit(str(error))
    summary = ", ".join(f"{number} {named(what, number)}" for what, number in counts.items())
    print(("Dry run, nothing was written. It would be: " if DRY_RUN else "") + summary)
    if DRY_RUN:
        print(BEFORE_ORDERS)
    if "failed" in counts:
        sys.exit(1)


main()
