"""Tests of the client against a local server that gives prepared answers one after the other."""

from __future__ import annotations

import json
import socket
import threading
import unittest
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, List, Optional, Tuple

from cotizaciones import (
    ApiError,
    Client,
    CotizacionesError,
    NetworkError,
    RequestTimeoutError,
    standard_secret,
    verify_webhook,
)
from cotizaciones.stream import read_events

SECRET = "0123456789abcdef" * 4
BODY = b'{"event":"rate.updated","currency":"USD","origin":"BLUE"}'
HEADERS = {
    "Webhook-Id": "019a0000-0000-7000-8000-000000000001",
    "webhook-timestamp": "1700000000",
    "webhook-signature": "v1,64CjuyxDRFGnKZr9yNpe1cMoO4pr31AUpk73+iXIE5k=",
}
#: The headers of a signature that does not cover the delivery id.
WITHOUT_ID = {
    "X-Service-Timestamp": "1700000000",
    "X-Service-Signature": "sha256=aebc96b0be415490cee704532d25058e9aa063e49d0a22f950042ca3f44d1be4",
}


class Server:
    """Answers with each (status, headers, body) in turn, and keeps the requests."""

    def __init__(self, *answers: Tuple[int, dict, Any]) -> None:
        asked: List[dict] = []
        left = list(answers)

        class Handler(BaseHTTPRequestHandler):
            def respond(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                asked.append(
                    {
                        "method": self.command,
                        "path": self.path,
                        "headers": {name.title(): value for name, value in self.headers.items()},
                        "body": self.rfile.read(length),
                    }
                )
                status, headers, body = left.pop(0)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

            do_GET = do_POST = do_PATCH = do_DELETE = respond

            def log_message(self, *_: Any) -> None:
                pass

        self.asked = asked
        self.waits: List[float] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def client(self, **options: Any) -> Client:
        return Client(self.url, "cot_key", sleep=self.waits.append, **options)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()


class Requests(unittest.TestCase):
    def test_keeps_every_digit_of_a_price(self) -> None:
        with Server((200, {}, b'{"sell": 1550.10, "buy": 14}')) as server:
            self.assertEqual(server.client().quote("usd", "blue"), {"sell": Decimal("1550.10"), "buy": 14})

    def test_sends_the_key_to_private_routes_alone(self) -> None:
        with Server((200, {}, []), (200, {}, [])) as server:
            client = server.client()
            client.quotes()
            client.history("usd", "blue", from_="2026-01-01", limit=5)
        public, private = server.asked
        self.assertNotIn("Authorization", public["headers"])
        self.assertEqual(private["headers"]["Authorization"], "Bearer cot_key")
        self.assertEqual(private["path"], "/api/v2/usd/blue/history?from=2026-01-01&limit=5")

    def test_waits_as_long_as_retry_after_says(self) -> None:
        late = (429, {"Retry-After": "10"}, b"Demasiadas consultas")
        with Server(late, (503, {"Retry-After": "3"}, {"error": "No"}), (200, {}, [])) as server:
            self.assertEqual(server.client().quotes_as_of("2026-01-01"), [])
        self.assertEqual(server.waits, [10, 3])

    def test_raises_what_the_api_says_when_no_wait_is_worth_it(self) -> None:
        with Server((503, {"Retry-After": "7200"}, {"error": "Mañana"})) as server:
            with self.assertRaises(ApiError) as raised:
                server.client().check_key()
        self.assertEqual(raised.exception.status, 503)
        self.assertEqual(raised.exception.message, "Mañana")
        self.assertEqual(raised.exception.retry_after, 7200)
        self.assertEqual(str(raised.exception), "503 Mañana")

    def test_follows_no_redirect_with_the_key(self) -> None:
        calls = {
            "GET": lambda client: client.history("usd", "blue"),
            "POST": lambda client: client.webhooks.create("usd", "blue", url="https://example.com"),
            "PATCH": lambda client: client.webhooks.edit("id", 1),
            "DELETE": lambda client: client.webhooks.delete("id", 1),
        }
        for method, call in calls.items():
            for status in (301, 302, 303, 307, 308):
                with self.subTest(f"{method} {status}"), Server((200, {}, {})) as other:
                    with Server((status, {"Location": other.url}, b"")) as server:
                        with self.assertRaises(ApiError) as raised:
                            call(server.client())
                    self.assertEqual(str(raised.exception), f"{status} Redirige a {other.url}")
                    self.assertEqual(other.asked, [])

    def test_follows_a_redirect_of_what_is_public(self) -> None:
        with Server((200, {}, [])) as other, Server((302, {"Location": other.url}, b"")) as server:
            self.assertEqual(server.client().quotes(), [])
        self.assertNotIn("Authorization", other.asked[0]["headers"])

    def test_repeats_an_edit_only_after_a_429(self) -> None:
        with Server((429, {"Retry-After": "1"}, {"error": "No"}), (503, {}, {"error": "No"})) as server:
            with self.assertRaises(ApiError):
                server.client().webhooks.edit("id", 1, enabled=False)
        self.assertEqual([asked["method"] for asked in server.asked], ["PATCH", "PATCH"])
        self.assertEqual(json.loads(server.asked[0]["body"]), {"version": 1, "enabled": False})

    def test_writes_every_number_with_its_digits_and_no_exponent(self) -> None:
        numbers = {
            "1500": (1500, Decimal("1500").normalize(), "1500"),
            "1500.10": (Decimal("1500.10"), "1500.10"),
            "0.0000001": (Decimal("1E-7"), "0.0000001"),
        }
        for text, given in numbers.items():
            for number in given:
                with self.subTest(repr(number)), Server(*[(200, {}, {})] * 4) as server:
                    client = server.client()
                    client.convert(number, "usd", "ars")
                    client.alerts.create("usd", "blue", condition="above", threshold=number)
                    client.alerts.edit("id", 1, threshold=number, hysteresis=number)
                    client.history("usd", "blue", limit=Decimal("1E+2"))
                    asked = server.asked
                self.assertEqual(asked[0]["path"], f"/api/v2/convert?amount={text}&from=usd&to=ars")
                self.assertEqual(asked[1]["path"], "/api/v2/alerts")
                alert = f'"currency":"USD","origin":"BLUE","condition":"above","threshold":{text}}}'
                self.assertTrue(asked[1]["body"].endswith(alert.encode()))
                edit = f'{{"version":1,"threshold":{text},"hysteresis":{text}}}'
                self.assertEqual(asked[2]["body"], edit.encode())
                self.assertEqual(asked[3]["path"], "/api/v2/usd/blue/history?limit=100")

    def test_raises_its_own_errors_where_no_answer_comes(self) -> None:
        self.assertTrue(issubclass(ApiError, CotizacionesError))
        with socket.create_server(("127.0.0.1", 0)) as silent, Server((200, {}, b"<html>")) as server:
            cases = (
                ("http://127.0.0.1:9", NetworkError, [0.5, 0.75]),
                (f"http://127.0.0.1:{silent.getsockname()[1]}", RequestTimeoutError, [0.5, 0.75]),
                (server.url, ApiError, []),
            )
            for url, error, waited in cases:
                with self.subTest(error.__name__):
                    waits: List[float] = []
                    with self.assertRaises(error) as raised:
                        Client(url, timeout=0.05, sleep=waits.append).quotes()
                    self.assertIsInstance(raised.exception, CotizacionesError)
                    self.assertEqual(waits, waited)


class Stream(unittest.TestCase):
    @staticmethod
    def event(event_id: Optional[str], sell: int, updated_at: str = "2026-03-02T12:00:00.000-03:00") -> bytes:
        quote = {"currency": "USD", "origin": "BLUE", "buy": 1, "sell": sell, "updatedAt": updated_at}
        line = "" if event_id is None else f"id: {event_id}\n"
        return f"{line}event: quote\ndata: {json.dumps(quote)}\n\n".encode()

    def test_comes_again_with_the_last_id_and_repeats_nothing(self) -> None:
        first = b"retry: 1000\n\n" + self.event("1-3", 1)
        with Server((200, {}, first), (200, {}, self.event("1-3", 1) + self.event("2-3", 2))) as server:
            stream = server.client().stream(["USD/BLUE"])
            self.assertEqual([next(stream)["sell"], next(stream)["sell"]], [1, 2])
            stream.close()  # type: ignore[attr-defined]
        self.assertEqual(server.asked[1]["headers"].get("Last-Event-Id"), "1-3")
        self.assertEqual(server.asked[0]["path"], "/api/v2/stream?pairs=usd%2Fblue")
        self.assertEqual(len(server.waits), 1)
        self.assertTrue(1 <= server.waits[0] <= 1.2, server.waits)

    def test_yields_a_correction_which_has_no_id_of_its_own(self) -> None:
        with Server((200, {}, self.event("1-3", 1) + self.event(None, 2) + self.event(None, 2))) as server:
            stream = server.client().stream(["USD/BLUE"])
            self.assertEqual([next(stream)["sell"], next(stream)["sell"]], [1, 2])
            stream.close()  # type: ignore[attr-defined]

    def test_waits_out_a_refusal_and_raises_what_cannot_be_mended(self) -> None:
        with Server((503, {"Retry-After": "7"}, {"error": "Lleno"}), (404, {}, {"error": "No"})) as server:
            with self.assertRaises(ApiError) as raised:
                next(server.client().stream())
        self.assertEqual(raised.exception.status, 404)
        self.assertEqual(server.waits, [7])

    def test_reads_events_by_the_rules(self) -> None:
        lines = b": hello\n\nevent:x\ndata: a\ndata:b\nid: 1\n\ndata\n\nretry: no\n".splitlines(True)
        events = [(event.name, event.data, event.id) for event in read_events(lines)]
        self.assertEqual(events, [("x", "a\nb", "1"), ("message", "", "1")])


class Verification(unittest.TestCase):
    def test_takes_the_signature_of_standard_webhooks(self) -> None:
        several = {**HEADERS, "webhook-signature": "v2,x v1,x " + HEADERS["webhook-signature"]}
        same_id = {**HEADERS, "X-Service-Delivery-Id": HEADERS["Webhook-Id"]}
        for headers in (HEADERS, several, same_id, {**WITHOUT_ID, **HEADERS}):
            for secret in (SECRET, standard_secret(SECRET)):
                event = verify_webhook(BODY, headers, secret, now=1_700_000_010)
                self.assertEqual(event, json.loads(BODY))

    def test_refuses_everything_else(self) -> None:
        self.assertIsNone(verify_webhook(BODY, HEADERS, SECRET, now=1_700_000_400), "an old time")
        cases = {
            "another body": (BODY + b" ", HEADERS, SECRET),
            "another secret": (BODY, HEADERS, "f" * 64),
            "no headers": (BODY, {}, SECRET),
            "no number": (BODY, {**HEADERS, "webhook-timestamp": "x"}, SECRET),
            "a number beyond all": (BODY, {**HEADERS, "webhook-timestamp": "9" * 5000}, SECRET),
            "the signature without the id": (BODY, WITHOUT_ID, SECRET),
            "that one with an id beside it": (BODY, {**WITHOUT_ID, "webhook-id": "another"}, SECRET),
            "another id": (BODY, {**WITHOUT_ID, **HEADERS, "Webhook-Id": "another"}, SECRET),
            "an id beside the signed one": (BODY, {**HEADERS, "X-Service-Delivery-Id": "another"}, SECRET),
            "another signature": (BODY, {**HEADERS, "webhook-signature": "v1,x"}, SECRET),
            "an empty signature": (BODY, {**HEADERS, "webhook-signature": ""}, SECRET),
            "a strange signature": (BODY, {**HEADERS, "webhook-signature": "ñ"}, SECRET),
        }
        for name, (body, headers, secret) in cases.items():
            with self.subTest(name):
                self.assertIsNone(verify_webhook(body, headers, secret, now=1_700_000_010))
