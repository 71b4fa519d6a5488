"""The check of a delivery of a webhook or an alert."""

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
    """The secret for libraries of Standard Webhooks: ``whsec_`` and the secret's text in base64."""
    return _STANDARD + b64encode(secret.encode()).decode()


def verify_webhook(
    body: bytes, headers: Mapping[str, str], secret: str, now: Optional[float] = None
) -> Optional[Union[t.WebhookEvent, t.AlertEvent]]:
    """The event of a delivery; None when its signature or its time is wrong.

    ``body`` is the raw body before any parsing; ``secret`` is the secret's text, or its
    ``standard_secret``. The signature is that of Standard Webhooks. ``X-Service-Signature`` is not
    read, because it does not cover the id: an attacker could repeat a delivery with a new id. A
    delivery may come twice: keep the header ``webhook-id`` and drop the ids that you have seen.
    """
    given = {name.lower(): value for name, value in headers.items()}
    delivery_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    # A receiver may read the id from the other header, so this must have the signed id too.
    if given.get("x-service-delivery-id", delivery_id) != delivery_id:
        return None
    clock = time.time() if now is None else now
    if re.fullmatch("[0-9]{1,12}", timestamp) is None or abs(clock - int(timestamp)) > 300:
        return None
    text = b64decode(secret[len(_STANDARD) :]).decode() if secret.startswith(_STANDARD) else secret
    signed = f"{delivery_id}.{timestamp}.".encode() + body
    expected = b"v1," + b64encode(hmac.digest(text.encode(), signed, "sha256"))
    signatures = given.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(expected, one.encode()) for one in signatures):
        return None
    return cast("Union[t.WebhookEvent, t.AlertEvent]", json.loads(body, parse_float=Decimal))
