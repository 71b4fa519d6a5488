"""One question and its answer, asked again where the API asks for it."""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from decimal import Decimal
from email.message import Message
from typing import Any, Callable, Mapping, Optional, Union


class ApiError(Exception):
    """The API refused or could not answer: its status, its Spanish text, and how long to wait."""

    def __init__(self, status: int, message: str, retry_after: Optional[int]) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        #: Seconds, when the API said so.
        self.retry_after = retry_after


Value = Union[str, int, bool, Decimal, None]
Query = Mapping[str, Value]

#: What a network that fails raises; ``ApiError`` is none of them.
NETWORK_ERRORS = (OSError, http.client.HTTPException)


@dataclass(frozen=True)
class Transport:
    """How to reach a service."""

    base_url: str
    api_key: Optional[str] = field(default=None, repr=False)
    #: Seconds for one try.
    timeout: float = 10.0
    #: Tries after the first, on 503, on 429 and when the network failed.
    retries: int = 2
    #: The longest ``Retry-After`` worth waiting for, in seconds.
    max_wait: float = 60.0
    sleep: Callable[[float], None] = time.sleep

    def ask(
        self,
        path: str,
        query: Optional[Query] = None,
        *,
        method: str = "GET",
        body: Optional[Mapping[str, Any]] = None,
        private: bool = False,
        repeatable: bool = True,
    ) -> Any:
        """The JSON answer; its fractions are ``Decimal``, so that no price loses a digit.

        What is not ``repeatable`` is tried again only after a 429, which promises that nothing was
        done.
        """
        request = self.request(path, query, method=method, body=body, private=private)
        attempt = 1
        while True:
            try:
                with self.open(request, self.timeout) as response:
                    return json.loads(response.read(), parse_float=Decimal)
            except (ApiError, *NETWORK_ERRORS) as error:
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
        """The request as it goes out; the key goes to private routes alone."""
        headers = {"Accept": "application/json", "User-Agent": "cotizaciones-python"}
        if private and self.api_key is not None:
            headers["Authorization"] = f"Bearer {self.api_key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        url = urllib.parse.urljoin(self.base_url, path)
        words = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        if words:
            url += "?" + urllib.parse.urlencode(words)
        data = None if body is None else json.dumps(body).encode()
        return urllib.request.Request(url, data=data, headers=headers, method=method)

    @staticmethod
    def open(request: urllib.request.Request, timeout: float) -> http.client.HTTPResponse:
        """Sends it. Raises ``ApiError`` for an answer that is not 2xx."""
        try:
            response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as refused:
            with refused:
                raise ApiError(
                    refused.code, _error_text(refused.read()), _retry_after(refused.headers)
                ) from None
        return response

    def _wait_before(self, attempt: int, error: Exception, repeatable: bool) -> Optional[float]:
        """Seconds to wait before try number ``attempt``, or None when the error stands."""
        if attempt > self.retries + 1:
            return None
        if not isinstance(error, ApiError):
            return 0.25 * attempt if repeatable else None
        if error.status != 429 and not (error.status == 503 and repeatable):
            return None
        seconds = attempt if error.retry_after is None else error.retry_after
        return None if seconds > self.max_wait else float(seconds)


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


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
