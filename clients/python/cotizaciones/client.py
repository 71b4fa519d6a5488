"""The client of the API."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, Optional, Sequence, Union, cast

from .stream import OnRetry, stream_quotes
from .transport import Number, Transport
from .webhooks import Alerts, Webhooks

if TYPE_CHECKING:
    from . import types as t

Text = Optional[str]
Count = Optional[Number]


class Client:
    """A client of the API at ``base_url``.

    A failed method raises a ``CotizacionesError``, after the retries that ``Retry-After`` allows:
    an ``ApiError`` when the service refuses, a ``RequestTimeoutError`` or a ``NetworkError`` when
    no answer comes. Answers are the dictionaries of ``cotizaciones.types``, with ``int`` or
    ``Decimal`` numbers.
    """

    def __init__(
        self,
        base_url: str,
        api_key: Text = None,
        *,
        timeout: float = 10.0,
        retries: int = 2,
        max_wait: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._transport = Transport(base_url, api_key, timeout, retries, max_wait, sleep)
        self.webhooks = Webhooks(self._transport, "webhook")
        self.alerts = Alerts(self._transport, "alert")

    def quotes(self) -> List[t.Quote]:
        """Every current quote, in catalogue order."""
        return cast("List[t.Quote]", self._transport.call("/api/v2/quotes"))

    def currency(self, currency: str) -> List[t.Quote]:
        """The current quotes of a currency."""
        return cast("List[t.Quote]", self._transport.call(f"/api/v2/{currency}"))

    def quote(self, currency: str, origin: str) -> t.CurrentQuote:
        """One current quote with its change since midnight."""
        return cast("t.CurrentQuote", self._transport.call(f"/api/v2/{currency}/{origin}"))

    def status(self) -> t.Status:
        """The service's status: freshness of each pair, health of each source."""
        return cast("t.Status", self._transport.call("/api/v2/status"))

    def quotes_as_of(self, date: str, *, time: Text = None, max_age: Count = None) -> List[t.DatedQuote]:
        """Every pair as of an Argentine day ``YYYY-MM-DD``."""
        return cast("List[t.DatedQuote]", self._as_of(date, time, max_age))

    def currency_as_of(
        self, date: str, currency: str, *, time: Text = None, max_age: Count = None
    ) -> List[t.DatedQuote]:
        """The pairs of a currency as of an Argentine day."""
        return cast("List[t.DatedQuote]", self._as_of(f"{date}/{currency}", time, max_age))

    def quote_as_of(
        self, date: str, currency: str, origin: str, *, time: Text = None, max_age: Count = None
    ) -> t.DatedQuote:
        """One pair as of an Argentine day: the value in effect, never a later one."""
        return cast("t.DatedQuote", self._as_of(f"{date}/{currency}/{origin}", time, max_age))

    def history(
        self, currency: str, origin: str, *, from_: Text = None, to: Text = None, limit: Count = None
    ) -> List[t.HistoryPoint]:
        """Every change of a pair, newest first. Needs a key."""
        path = f"/api/v2/{currency}/{origin}/history"
        query = {"from": from_, "to": to, "limit": limit}
        return cast("List[t.HistoryPoint]", self._transport.call(path, query, private=True))

    def candles(
        self, currency: str, origin: str, *, from_: Text = None, to: Text = None, limit: Count = None
    ) -> t.Candles:
        """Daily candles of a pair, newest first. Needs a key."""
        query = {"from": from_, "to": to, "limit": limit}
        path = f"/api/v2/history/{currency}/{origin}"
        return cast("t.Candles", self._transport.call(path, query, private=True))

    def check_key(self) -> bool:
        """Whether the key works: True, or ``ApiError`` 401."""
        return bool(self._transport.call("/api/v2/auth/check", private=True)["valid"])

    def convert(
        self,
        amount: Union[Number, str],
        from_: str,
        to: str,
        *,
        origin: Text = None,
        side: Text = None,
        date: Text = None,
        time: Text = None,
        decimals: Count = None,
    ) -> t.Conversion:
        """An amount in another currency, with the prices of the conversion."""
        query = {
            "amount": amount, "from": from_, "to": to, "origin": origin, "side": side, "date": date,
            "time": time, "decimals": decimals,
        }
        return cast("t.Conversion", self._transport.call("/api/v2/convert", query))

    def series(
        self,
        pairs: Sequence[str],
        *,
        from_: Text = None,
        to: Text = None,
        dates: Optional[Sequence[str]] = None,
        every: Text = None,
        value: Text = None,
        side: Text = None,
        summary: bool = False,
    ) -> t.Series:
        """One row per date, one column per pair (``usd/blue``). Needs a key."""
        query = {
            "pairs": ",".join(pairs).lower(), "from": from_, "to": to,
            "dates": None if dates is None else ",".join(dates), "every": every, "value": value,
            "side": side, "summary": 1 if summary else None,
        }
        return cast("t.Series", self._transport.call("/api/v2/series", query, private=True))

    def invoicing(self, currency: str, *, date: Text = None) -> t.InvoicingRate:
        """The rate that an invoice in this currency must use on ``date``; today if absent."""
        return cast("t.InvoicingRate", self._transport.call(f"/api/v2/invoicing/{currency}", {"date": date}))

    def invoicing_rates(self, *, date: Text = None) -> List[t.InvoicingRate]:
        """The rate of every currency in the bank's table."""
        return cast("List[t.InvoicingRate]", self._transport.call("/api/v2/invoicing", {"date": date}))

    def stream(
        self, pairs: Optional[Sequence[str]] = None, *, on_retry: Optional[OnRetry] = None
    ) -> Iterator[t.CurrentQuote]:
        """Each change as it happens: ``for quote in client.stream(["usd/blue"])``."""
        return stream_quotes(self._transport, pairs, on_retry)

    def _as_of(self, path: str, time: Text, max_age: Optional[Number]) -> Any:
        return self._transport.call(f"/api/v2/date/{path}", {"time": time, "max_age": max_age})
