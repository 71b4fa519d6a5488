from __future__ import annotations

import hashlib
import hmac
import time


def verify(secret: str, timestamp: str, body: bytes, signature: str, now: float | None = None) -> bool:
    """Whether a delivery was signed with the secret, at most five minutes from now."""
    message = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    clock = time.time() if now is None else now
    fresh = timestamp.isascii() and timestamp.isdigit() and abs(clock - int(timestamp)) <= 300
    return fresh and hmac.compare_digest(expected.encode(), signature.encode())
