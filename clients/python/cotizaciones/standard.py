"""The signature of Standard Webhooks 1.0.0, which covers the delivery id too."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from typing import Optional


def verify_standard(
    secret: str, delivery_id: str, timestamp: str, body: bytes, signatures: str, now: Optional[float] = None
) -> bool:
    """Whether one of the signatures was made with the secret, at most five minutes from now."""
    message = f"{delivery_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(secret.encode(), message, hashlib.sha256).digest())
    clock = time.time() if now is None else now
    fresh = timestamp.isascii() and timestamp.isdigit() and abs(clock - int(timestamp)) <= 300
    return fresh and any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))
