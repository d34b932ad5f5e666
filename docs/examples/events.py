#!/usr/bin/env python3
"""Prints the progress of each order, even across restarts of the station and of this program. Ends with Ctrl+C.

    API_KEY=my-key python3 events.py [FILE]

FILE (orders.json) stores what was printed and the id of the last event: the next start prints what happened meanwhile. STATION_URL
is optional.
"""
import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request

STATION_URL = os.environ.get("STATION_URL", "http://127.0.0.1:4680/").rstrip("/")
API_KEY = os.environ.get("API_KEY", "")
FILE = sys.argv[1] if len(sys.argv) > 1 else "orders.json"
# The station sends at least a comment every 15 seconds.
SILENCE_S = 45


def get(path, headers=None):
    request = urllib.request.Request(STATION_URL + path, headers={"API-KEY": API_KEY, **(headers or {})})
    return urllib.request.urlopen(request, timeout=SILENCE_S)


def save(state):
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        json.dump(state, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(FILE + ".new", FILE)


def words(order):
    return f"{order['state']}, {order['quantity_fulfilled']} of {order['ordered_quantity']}"


def show(state, number, text):
    if state["orders"].get(number) == text:
        return
    print(f"{number}: {text or 'deleted'}", flush=True)
    if text is None:
        del state["orders"][number]
    else:
        state["orders"][number] = text


def load(state):
    """Reads all orders: at the first start, and if the station no longer has the events since the last one."""
    revision, path, orders = None, "/api/order-progress/", {}
    while path is not None:
        with get(path) as answer:
            orders.update({order["order_number"]: words(order) for order in json.load(answer)})
            # Resume from the first page: changes made while later pages were read arrive again as events.
            revision = revision or answer.headers["pickstation-revision"]
            link = re.match(r"<([^>]*)>", answer.headers["link"] or "")
            path = link and link.group(1)
    for number in [*state["orders"], *orders]:
        show(state, number, orders.get(number))
    state["last"] = revision
    save(state)


def take(state, facts):
    for fact in facts:
        if fact["type"] == "order.changed":
            show(state, fact["order"]["order_number"], words(fact["order"]))
        elif fact["type"] == "order.removed":
            show(state, fact["order_number"], None)


def follow(state):
    with get("/api/events/", {"Last-Event-ID": state["last"]}) as stream:
        event = {}
        for line in stream:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name != "":
                event[name] = value
                continue
            if event.get("event") == "reset":
                return load(state)
            if event.get("event") == "facts":
                take(state, json.loads(event["data"]))
                # Everything up to this id has been printed.
                state["last"] = event["id"]
                save(state)
            event = {}


def main():
    if API_KEY == "":
        sys.exit("Set API_KEY to a key of the station.")
    state = {"last": None, "orders": {}}
    if os.path.exists(FILE):
        with open(FILE, encoding="utf-8") as file:
            state = json.load(file)
    while True:
        try:
            if state["last"] is None:
                load(state)
            follow(state)
        except urllib.error.HTTPError as error:
            if error.code != 503:
                sys.exit(f"The station answered {error.code}: {error.read().decode(errors='replace')}")
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(1)


try:
    main()
except KeyboardInterrupt:
    pass
