"""Tests of the client against a running service. The environment has its address and a key."""

from __future__ import annotations

import os
import unittest
from decimal import Decimal

from cotizaciones import ApiError, Client


@unittest.skipUnless("BASE_URL" in os.environ, "needs BASE_URL and API_KEY")
class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(os.environ["BASE_URL"], os.environ["API_KEY"])

    def test_reads_quotes(self) -> None:
        quotes = self.client.quotes()
        self.assertEqual(len(quotes), 19)
        blue = self.client.quote("usd", "blue")
        self.assertNotIsInstance(blue["sell"], float)
        self.assertEqual(len(self.client.currency("eur")), 3)
        self.assertEqual(self.client.status()["mode"], "demo")

    def test_reads_the_past(self) -> None:
        self.assertIsNone(self.client.quote_as_of("2001-01-01", "usd", "blue")["sell"])
        self.assertEqual(len(self.client.currency_as_of("2001-01-01", "eur", time="12:00")), 3)
        self.assertEqual(len(self.client.history("usd", "blue", limit=1)), 1)
        self.assertEqual(self.client.candles("usd", "blue")["interval"], "day")
        self.assertTrue(self.client.check_key())

    def test_asks_for_what_goes_beyond_the_contract(self) -> None:
        conversion = self.client.convert("100.50", "usd", "ars", origin="blue")
        self.assertEqual((conversion["amount"], conversion["origin"]), (Decimal("100.5"), "BLUE"))
        self.assertEqual(self.client.invoicing("usd")["currency"], "USD")
        self.assertGreater(len(self.client.invoicing_rates()), 1)
        series = self.client.series(["USD/BLUE"], dates=["2001-01-31"])
        self.assertEqual((series["columns"], len(series["rows"])), (["date", "USD/BLUE"], 1))

    def test_raises_what_the_service_refuses(self) -> None:
        with self.assertRaises(ApiError) as raised:
            self.client.quote("clp", "blue")
        self.assertEqual((raised.exception.status, str(raised.exception)), (404, "404 Cotización no encontrada"))

    def test_hears_the_stream(self) -> None:
        stream = self.client.stream(["usd/blue"])
        self.assertEqual(next(stream)["origin"], "BLUE")
        stream.close()  # type: ignore[attr-defined]

    def test_manages_a_webhook(self) -> None:
        webhooks = self.client.webhooks
        made = webhooks.create("usd", "blue", url="https://example.com/python", enabled=False)
        webhook_id = made["webhook"]["id"]
        self.assertFalse(made["reconciled"])
        self.assertEqual(len(made["secret"]), 64)
        self.assertEqual(webhooks.get(webhook_id)["webhook"]["url"], "https://example.com/python")
        self.assertEqual(webhooks.edit(webhook_id, 1, origin="BNA")["webhook"]["version"], 2)
        test = webhooks.test(webhook_id)
        self.assertEqual(test["status"], "pending")
        for redeliver in (
            lambda: webhooks.redeliver(test["deliveryId"]),  # it is open
            lambda: webhooks.redeliver_since(webhook_id, "2026-01-01T00:00:00Z"),  # it is paused
        ):
            with self.assertRaises(ApiError) as raised:
                redeliver()
            self.assertEqual(raised.exception.status, 409)
        self.assertEqual(len(webhooks.deliveries(webhookId=webhook_id)["deliveries"]), 1)
        version = webhooks.get(webhook_id)["webhook"]["version"]
        self.assertEqual(webhooks.delete(webhook_id, version), {"deleted": True})
