"""The check of what a webhook or an alert brings."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from base64 import b64decode, b64encode
from decimal import Decimal
from typing import TYPE_CHECKING, Mapping, Optional, Union, cast

from .signature import verify

if TYPE_CHECKING:
    from . import types as t

_STANDARD = "whsec_"


def standard_secret(secret: str) -> str:
    """The secret as the libraries of Standard Webhooks take it."""
    return _STANDARD + b64encode(secret.encode()).decode()


def verify_webhook(
    body: bytes, headers: Mapping[str, str], secret: str, now: Optional[float] = None
) -> Optional[Union[t.WebhookEvent, t.AlertEvent]]:
    """The event of a delivery whose signature and time hold; None when they do not.

    ``body`` is what came, before any parsing; ``secret`` is its text, or its ``standard_secret``. It
    takes the signature of Standard Webhooks, which covers the delivery id too; where that is absent,
    our own, which does not. A delivery may come twice: keep the header ``webhook-id`` and drop what
    you have seen.
    """
    given = {name.lower(): value for name, value in headers.items()}
    text = b64decode(secret[len(_STANDARD) :]).decode() if secret.startswith(_STANDARD) else secret
    standard = given.get("webhook-signature")
    if standard is not None:
        delivery_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
        valid = _verify_standard(text, delivery_id, timestamp, body, standard, now)
        # The id that is kept is the one that was signed.
        valid = valid and given.get("x-service-delivery-id", delivery_id) == delivery_id
    else:
        timestamp, signature = given.get("x-service-timestamp", ""), given.get("x-service-signature", "")
        valid = verify(text, timestamp, body, signature, now)
    event = json.loads(body, parse_float=Decimal) if valid else None
    return cast("Optional[Union[t.WebhookEvent, t.AlertEvent]]", event)


def _verify_standard(
    secret: str, delivery_id: str, timestamp: str, body: bytes, signatures: str, now: Optional[float]
) -> bool:
    """Whether one of the signatures was made with the secret, at most five minutes from now."""
    message = f"{delivery_id}.{timestamp}.".encode() + body
    expected = b"v1," + b64encode(hmac.new(secret.encode(), message, hashlib.sha256).digest())
    clock = time.time() if now is None else now
    fresh = timestamp.isascii() and timestamp.isdigit() and abs(clock - int(timestamp)) <= 300
    return fresh and any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))
