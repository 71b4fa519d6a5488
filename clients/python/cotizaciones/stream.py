"""Each change as it happens, from server-sent events."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from .transport import ApiError, CotizacionesError, Transport, network_errors, parsed

if TYPE_CHECKING:
    from .types import CurrentQuote

#: A connection without a byte for so many seconds is dead. The service sends one every 15 seconds.
IDLE_SECONDS = 45.0
#: Seconds to wait after a refusal without ``Retry-After``.
RETRY_REFUSED_SECONDS = 30.0
RETRY_MOST_SECONDS = 60.0

OnRetry = Callable[[Optional[CotizacionesError], float], None]


@dataclass
class _Connection:
    last_event_id: str = ""
    retry_seconds: float = 3.0


@dataclass(frozen=True)
class Event:
    """One server-sent event."""

    name: str
    data: str
    id: str


def stream_quotes(
    transport: Transport, pairs: Optional[Sequence[str]] = None, on_retry: Optional[OnRetry] = None
) -> Iterator[CurrentQuote]:
    """Yields the current value of each pair, then each change as it happens.

    Reconnects when the connection breaks, and yields no value twice. Raises an ``ApiError`` only if
    a retry cannot help. Calls ``on_retry`` with the cause and the seconds until it reconnects.
    """
    connection = _Connection()
    seen: Dict[str, Tuple[object, ...]] = {}
    failures = 0
    while True:
        cause: Optional[CotizacionesError] = None
        try:
            for event in _follow(transport, connection, pairs):
                failures = 0
                quote: CurrentQuote = parsed(200, event.data)
                pair = f"{quote['currency']}/{quote['origin']}"
                # Values are compared, not ids: a correction has no id, and the next event with the
                # corrected value has the id of the wrong value.
                value = (quote["updatedAt"], quote["buy"], quote["sell"])
                if seen.get(pair) != value:
                    seen[pair] = value
                    yield quote
        except ApiError as error:
            if error.status < 500 and error.status != 429:
                raise
            cause = error
        except CotizacionesError as error:
            cause = error
        wait = _wait_after(cause, failures, connection.retry_seconds)
        failures += 1
        if on_retry is not None:
            on_retry(cause, wait)
        transport.sleep(wait)


def _follow(transport: Transport, connection: _Connection, pairs: Optional[Sequence[str]]) -> Iterator[Event]:
    """The quotes of one connection, until it ends."""
    query = None if pairs is None else {"pairs": ",".join(pairs).lower()}
    request = transport.request("/api/v2/stream", query)
    request.add_header("Accept", "text/event-stream")
    if connection.last_event_id:
        request.add_header("Last-Event-ID", connection.last_event_id)
    with network_errors(), transport.open(request, IDLE_SECONDS) as response:
        for event in read_events(response, connection):
            connection.last_event_id = event.id
            if event.name == "quote":
                yield event


def read_events(lines: Iterable[bytes], connection: Optional[_Connection] = None) -> Iterator[Event]:
    """The events of a stream of lines, by the rules of the HTML standard."""
    connection = connection or _Connection()
    name, event_id = "", connection.last_event_id
    data: List[str] = []
    for raw in lines:
        text = raw.decode("utf-8").rstrip("\r\n")
        if text == "":
            if data:
                yield Event(name or "message", "\n".join(data), event_id)
            name, data = "", []
            continue
        field, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "id" and "\0" not in value:
            event_id = value
        elif field == "retry" and value.isascii() and value.isdigit():
            connection.retry_seconds = int(value) / 1000


def _wait_after(cause: Optional[CotizacionesError], failures: int, retry_seconds: float) -> float:
    """Seconds to wait: the service's ``retry``, doubled after each failure, with random jitter."""
    if isinstance(cause, ApiError):
        return RETRY_REFUSED_SECONDS if cause.retry_after is None else float(cause.retry_after)
    longest = max(retry_seconds, RETRY_MOST_SECONDS)
    wait: float = min(retry_seconds * 2.0 ** min(failures, 16), longest)
    return wait * (1 + 0.2 * random.random())
