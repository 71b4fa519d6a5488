"""Requests of the API, with retries."""

from __future__ import annotations

import http.client
import json
import re
import socket
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from email.message import Message
from typing import Any, Callable, Iterator, Mapping, Optional, Union


class CotizacionesError(Exception):
    """The base class of all errors that methods raise."""


class ApiError(CotizacionesError):
    """A refusal of the service, with its status, its Spanish text, and how long to wait."""

    def __init__(self, status: int, message: str, retry_after: Optional[int] = None) -> None:
        super().__init__(f"{status} {message}")
        self.status = status
        self.message = message
        #: Seconds to wait, from ``Retry-After``; None without this header.
        self.retry_after = retry_after


class RequestTimeoutError(CotizacionesError):
    """No complete answer came in time."""


class NetworkError(CotizacionesError):
    """The connection failed or broke. ``__cause__`` is the error of the standard library."""


Number = Union[int, Decimal]
Value = Union[str, Number, None]
Query = Mapping[str, Value]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, because urllib would send the key to the target of the redirect."""

    def redirect_request(self, *_: Any) -> None:
        return None


@contextmanager
def network_errors() -> Iterator[None]:
    """Converts network errors of the standard library to errors of this client."""
    try:
        yield
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        kind = RequestTimeoutError if isinstance(reason, socket.timeout) else NetworkError
        raise kind(str(reason) or type(reason).__name__) from error


@dataclass(frozen=True)
class Transport:
    """The connection settings of a service."""

    base_url: str
    api_key: Optional[str] = field(repr=False)
    #: The time limit of one try in seconds.
    timeout: float
    #: The most retries after the first try, on a 503, a 429 or a network failure.
    retries: int
    #: The longest ``Retry-After`` to wait for, in seconds.
    max_wait: float
    sleep: Callable[[float], None]

    def call(self, path: str, query: Optional[Query] = None, *, repeatable: bool = True, **more: Any) -> Any:
        """Sends a ``request`` and returns the answer. A request that is not ``repeatable`` is
        retried only after a 429, because the service then did nothing.
        """
        request = self.request(path, query, **more)
        attempt = 1
        while True:
            try:
                with network_errors(), self.open(request, self.timeout) as response:
                    return parsed(response.status, response.read())
            except CotizacionesError as error:
                attempt += 1
                wait = self._wait_before(attempt, error, repeatable)
                if wait is None:
                    raise
            self.sleep(wait)

    def request(
        self,
        path: str,
        query: Optional[Query] = None,
        *,
        method: str = "GET",
        body: Optional[Mapping[str, Any]] = None,
        private: bool = False,
    ) -> urllib.request.Request:
        """The HTTP request. Only private routes get the key."""
        headers = {"Accept": "application/json", "User-Agent": "cotizaciones-python"}
        if private and self.api_key is not None:
            headers["Authorization"] = f"Bearer {self.api_key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        url = urllib.parse.urljoin(self.base_url, path)
        words = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        if words:
            url += "?" + urllib.parse.urlencode(words)
        data = None if body is None else _json(body).encode()
        return urllib.request.Request(url, data=data, headers=headers, method=method)

    @staticmethod
    def open(request: urllib.request.Request, timeout: float) -> http.client.HTTPResponse:
        """Sends a request. Raises an ``ApiError`` for an answer that is not 2xx."""
        handlers = [_NoRedirects] if request.has_header("Authorization") else []
        try:
            opener = urllib.request.build_opener(*handlers)
            response: http.client.HTTPResponse = opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as refused:
            with refused:
                location = refused.headers.get("Location")
                text = _error_text(refused.read()) if location is None else f"Redirige a {location}"
                raise ApiError(refused.code, text, _retry_after(refused.headers)) from None
        return response

    def _wait_before(self, attempt: int, error: Exception, repeatable: bool) -> Optional[float]:
        """Seconds to wait before try number ``attempt``; None when there is no further try."""
        if attempt > self.retries + 1:
            return None
        if not isinstance(error, ApiError):
            return 0.25 * attempt if repeatable else None
        if error.status != 429 and not (error.status == 503 and repeatable):
            return None
        seconds = attempt if error.retry_after is None else error.retry_after
        return None if seconds > self.max_wait else float(seconds)


def _text(value: Union[Value, float]) -> str:
    """The text of a query value. Numbers have no exponent."""
    return format(Decimal(str(value)), "f") if isinstance(value, (Decimal, float)) else str(value)


def _json(value: Any) -> str:
    """JSON in which numbers keep every digit and have no exponent."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(name)}:{_json(of)}" for name, of in value.items()) + "}"
    return _text(value) if isinstance(value, (Decimal, float)) else json.dumps(value)


def parsed(status: int, body: Union[bytes, str]) -> Any:
    """The JSON of an answer. Fractions become ``Decimal``, so that no price loses a digit."""
    try:
        return json.loads(body, parse_float=Decimal)
    except ValueError:
        raise ApiError(status, "La respuesta no es JSON") from None


def _retry_after(headers: Message) -> Optional[int]:
    text = headers.get("Retry-After")
    return int(text) if text is not None and re.fullmatch(r"[0-9]+", text) else None


def _error_text(body: bytes) -> str:
    """The text of an Error object; the 429 of date reads is plain text."""
    text = body.decode("utf-8", "replace")
    try:
        return str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        return text
