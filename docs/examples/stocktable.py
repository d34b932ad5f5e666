#!/usr/bin/env python3
"""Keeps a table of the stock at every place: first reads the movements that it has not seen, then receives callbacks.

    API_KEY=my-key python3 stocktable.py [FILE.db]

Set callback_url (or a further receiver) to the printed address, and switch on the family movement. Callbacks can fail, repeat
and overtake each other; the table stays correct, because a row accepts only a higher movement_id. GET / returns the table.
Optional: STATION_URL and CALLBACK_PORT (4681; 0: any).
"""
import json
import os
import sqlite3
import sys
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

STATION_URL = os.environ.get("STATION_URL", "http://127.0.0.1:4680/").rstrip("/")
API_KEY = os.environ.get("API_KEY", "")
PAGE = 1000

db = sqlite3.connect(sys.argv[1] if len(sys.argv) > 1 else "stock.db", isolation_level=None)
db.execute(
    "CREATE TABLE IF NOT EXISTS stock (sku TEXT, location TEXT, on_hand INTEGER, movement_id INTEGER, PRIMARY KEY (sku, location))"
)


def take(movement):
    """Stores the figure unless the row has a later one. Returns whether it did."""
    changed = db.execute(
        """INSERT INTO stock VALUES (:SKU, :location, :on_hand, :movement_id) ON CONFLICT DO UPDATE
           SET on_hand = excluded.on_hand, movement_id = excluded.movement_id WHERE excluded.movement_id > movement_id""",
        {name: movement[name] for name in ("SKU", "location", "on_hand", "movement_id")},
    )
    return changed.rowcount == 1


def catch_up():
    """Reads from the beginning each time, because a callback that overtook others does not show which are missing."""
    after = 0
    while True:
        request = urllib.request.Request(f"{STATION_URL}/api/movements/?after={after}&limit={PAGE}")
        request.add_header("API-KEY", API_KEY)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                movements = json.load(answer)
        except urllib.error.HTTPError as error:
            sys.exit(f"The station answered {error.code}: {error.read().decode(errors='replace')}")
        except OSError as error:
            sys.exit(f"The station at {STATION_URL} cannot be reached: {error}")
        for movement in movements:
            take(movement)
        if len(movements) < PAGE:
            return
        after = movements[-1]["movement_id"]


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        # Callbacks of other families arrive here too.
        is_new = "movement_id" in body and take(body)
        # Answer after storing: without an answer, the station sends the callback again.
        self.answer({"stored": is_new})

    def do_GET(self):
        rows = db.execute("SELECT sku, location, on_hand FROM stock ORDER BY sku, location").fetchall()
        self.answer([{"sku": sku, "location": location, "on_hand": on_hand} for sku, location, on_hand in rows])

    def answer(self, body):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


def main():
    if API_KEY == "":
        sys.exit("Set API_KEY to a key of the station.")
    server = HTTPServer(("127.0.0.1", int(os.environ.get("CALLBACK_PORT", "4681"))), Receiver)
    catch_up()
    print(f"Waiting for callbacks at http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


main()
