#!/usr/bin/env python3
"""Lights a place and waits for the callback: exits 0 if somebody presses, 2 if nobody does in time.

    API_KEY=my-key python3 light.py PLACE TEXT [QUANTITY]
    API_KEY=my-key python3 light.py A-3-2 "Cable tie 200" 5

PLACE is an alias, a label or a DeviceID. Optional: STATION_URL, SECONDS_LIT (60), COLOR (b), and CALLBACK_PORT (4681), where
this program listens. The station has one callback_url. If it is empty, this program sets it, which needs an admin's key;
otherwise it does not change it.
"""
import json
import os
import queue
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STATION_URL = os.environ.get("STATION_URL", "http://127.0.0.1:4680/").rstrip("/")
API_KEY = os.environ.get("API_KEY", "")
PORT = int(os.environ.get("CALLBACK_PORT", "4681"))
SECONDS = int(os.environ.get("SECONDS_LIT", "60"))


def call(method, path, body=None):
    request = urllib.request.Request(STATION_URL + path, method=method)
    request.add_header("API-KEY", API_KEY)
    request.add_header("content-type", "application/json")
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request, data, timeout=30) as answer:
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


callbacks = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        # Answer first, then work: the station repeats a callback that gets no answer within ten seconds.
        self.send_response(204)
        self.end_headers()
        callbacks.put(json.loads(body))

    def log_message(self, *_):
        pass


def listen():
    try:
        server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    except OSError as error:
        sys.exit(f"Port {PORT} cannot be opened ({error}). Set CALLBACK_PORT to another one.")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    mine = f"http://127.0.0.1:{server.server_port}/"
    known = call("GET", "/api/settings/")["callback_url"]
    if known == "":
        call("PATCH", "/api/settings/", {"callback_url": mine})
    elif known != mine:
        sys.exit(f"Callbacks go to {known} already. Set CALLBACK_PORT to its port, or empty callback_url first.")


def main():
    if len(sys.argv) < 3:
        sys.exit("Usage: python3 light.py PLACE TEXT [QUANTITY]")
    if API_KEY == "":
        sys.exit("Set API_KEY to a key of the station.")
    place, text = sys.argv[1:3]
    listen()
    # A new nonce, by which this program recognizes its callback.
    nonce = f"light-{place}-{time.time_ns()}"
    command = {"command": "flash", "location": place, "line1": text, "seconds": SECONDS, "nonce": nonce}
    command["color"] = os.environ.get("COLOR", "b")
    if len(sys.argv) > 3:
        command["quantity"] = sys.argv[3]
    sent = call("POST", "/api/devices/", command)
    for warning in sent["warnings"]:
        print(f"Warning: {warning}", file=sys.stderr)
    print(f"{sent['deviceid']} is lit for {place}.", flush=True)

    while True:
        callback = callbacks.get()
        # Callbacks of other programs arrive here too, and a callback can arrive twice.
        if callback.get("nonce") != nonce:
            print(f"Not ours: {callback}", file=sys.stderr)
        elif callback["acknack"] == "ack":
            print(f"Pressed, quantity {callback['qty']}.")
            return
        else:
            print("Nobody pressed in time.", file=sys.stderr)
            sys.exit(2)


main()
