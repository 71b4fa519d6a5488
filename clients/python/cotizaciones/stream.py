"""Each change as it happens, from server-sent events."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from .transport import ApiError, CotizacionesError, Transport, network_errors, parsed

if TYPE_CHECKING:
    from .types import CurrentQuote

#: Seconds without a byte after which the line counts as dead; the service sends one in 15.
IDLE_SECONDS = 45.0
#: Seconds, where a refusal does not say.
RETRY_REFUSED_SECONDS = 30.0
RETRY_MOST_SECONDS = 60.0

OnRetry = Callable[[Optional[CotizacionesError], float], None]


@dataclass
class _Line:
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
    """The current value of each pair, then each change, for as long as one iterates.

    A line that breaks is opened again, and nothing comes twice. Raises ``ApiError`` only for what
    another try cannot mend. ``on_retry`` hears why the line is down and after how many seconds it is
    tried again.
    """
    line = _Line()
    seen: Dict[str, Tuple[object, ...]] = {}
    failures = 0
    while True:
        cause: Optional[CotizacionesError] = None
        try:
            for event in _follow(transport, line, pairs):
                failures = 0
                quote: CurrentQuote = parsed(200, event.data)
                pair = f"{quote['currency']}/{quote['origin']}"
                # Not by its id: a correction has none, and the last one is that of the wrong value.
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
        wait = _wait_after(cause, failures, line.retry_seconds)
        failures += 1
        if on_retry is not None:
            on_retry(cause, wait)
        transport.sleep(wait)


def _follow(transport: Transport, line: _Line, pairs: Optional[Sequence[str]]) -> Iterator[Event]:
    """The quotes of one connection, until it ends."""
    query = None if pairs is None else {"pairs": ",".join(pairs).lower()}
    request = transport.request("/api/v2/stream", query)
    request.add_header("Accept", "text/event-stream")
    if line.last_event_id:
        request.add_header("Last-Event-ID", line.last_event_id)
    with network_errors(), transport.open(request, IDLE_SECONDS) as response:
        for event in read_events(response, line):
            line.last_event_id = event.id
            if event.name == "quote":
                yield event


def read_events(lines: Iterable[bytes], line: Optional[_Line] = None) -> Iterator[Event]:
    """The events of a stream of lines, by the rules of the HTML standard."""
    line = line or _Line()
    name, event_id = "", line.last_event_id
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
            line.retry_seconds = int(value) / 1000


def _wait_after(cause: Optional[CotizacionesError], failures: int, retry_seconds: float) -> float:
    """Seconds: what the service asks for, twice as long after each failure, never all at once."""
    if isinstance(cause, ApiError):
        return RETRY_REFUSED_SECONDS if cause.retry_after is None else float(cause.retry_after)
    longest = max(retry_seconds, RETRY_MOST_SECONDS)
    wait: float = min(retry_seconds * 2.0 ** min(failures, 16), longest)
    return wait * (1 + 0.2 * random.random())
