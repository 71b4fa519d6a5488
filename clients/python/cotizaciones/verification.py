"""The check of what a webhook or an alert brings."""

from __future__ import annotations

import hmac
import json
import re
import time
from base64 import b64decode, b64encode
from decimal import Decimal
from typing import TYPE_CHECKING, Mapping, Optional, Union, cast

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
    own_id, own_time = given.get("x-service-delivery-id"), given.get("x-service-timestamp", "")
    signatures = given.get("webhook-signature")
    if signatures is not None:
        delivery_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
        signed = f"{delivery_id}.{timestamp}.".encode() + body
        expected = b"v1," + b64encode(hmac.digest(text.encode(), signed, "sha256"))
        # The id that is kept is the one that was signed.
        valid = own_id in (None, delivery_id)
    else:
        timestamp, signatures = own_time, given.get("x-service-signature", "")
        signed = f"{timestamp}.".encode() + body
        expected = b"sha256=" + hmac.digest(text.encode(), signed, "sha256").hex().encode()
        valid = True
    clock = time.time() if now is None else now
    valid = valid and re.fullmatch("[0-9]+", timestamp) is not None and abs(clock - int(timestamp)) <= 300
    valid = valid and any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))
    event = json.loads(body, parse_float=Decimal) if valid else None
    return cast("Optional[Union[t.WebhookEvent, t.AlertEvent]]", event)
