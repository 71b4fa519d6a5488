"""Receives webhooks: checks the signature, drops repeats, prints each change.

    SECRET=... PORT=3000 python3 receiver.py
"""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from cotizaciones import verify_webhook

SECRET = os.environ.get("SECRET", "")
seen = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        event = verify_webhook(body, self.headers, SECRET)
        self.send_response(401 if event is None else 204)
        self.end_headers()
        delivery_id = self.headers["webhook-id"]
        if event is None or delivery_id in seen:
            return
        seen.add(delivery_id)
        print(f"{event['currency']}/{event['origin']} {event['prevSell']} -> {event['sell']}", flush=True)


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Receiver)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
