"""The management of the account's webhooks, and the check of what they bring."""

from __future__ import annotations

import json
import uuid
from base64 import b64decode
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Dict, Mapping, Optional, cast
from urllib.parse import quote as quoted

from .signature import verify
from .standard import verify_standard
from .transport import Transport
from .types import DeliveryPage, OwnWebhook

ALL = "/api/v2/webhooks"

#: How ``standardSecret`` begins.
STANDARD = "whsec_"


@dataclass(frozen=True)
class Webhooks:
    """Each method needs a key."""

    transport: Transport

    def list(self) -> Dict[str, Any]:
        """The account's webhooks, without address and secret, and the limit."""
        return cast(Dict[str, Any], self.transport.ask(ALL, private=True))

    def create(
        self,
        url: str,
        currency: str,
        origin: str,
        *,
        enabled: Optional[bool] = None,
        receiver_authorization: Optional[str] = None,
        operation_id: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Makes one. The same ``operation_id`` twice makes one webhook; its secret shows once."""
        body: Dict[str, Any] = {
            "operationId": operation_id or str(uuid.uuid4()),
            "url": url,
            "currency": currency.upper(),
            "origin": origin.upper(),
        }
        if enabled is not None:
            body["enabled"] = enabled
        if receiver_authorization is not None:
            body["receiverAuthorization"] = receiver_authorization
        answer = self.transport.ask(ALL, method="POST", body=body, private=True)
        return cast(Dict[str, Any], answer)

    def get(self, webhook_id: str) -> OwnWebhook:
        """One webhook, with its address."""
        return cast(OwnWebhook, self.transport.ask(_one(webhook_id), private=True)["webhook"])

    def edit(self, webhook_id: str, version: int, **changes: Any) -> Dict[str, Any]:
        """Edits, pauses (``enabled=False``) or activates (``enabled=True``); fields as in the API."""
        return self._change(_one(webhook_id), "PATCH", {"version": version, **changes})

    def delete(self, webhook_id: str, version: int) -> Dict[str, Any]:
        """Removes it, with its secrets and deliveries."""
        return self._change(_one(webhook_id), "DELETE", {"version": version})

    def rotate_secret(self, webhook_id: str, version: int) -> Dict[str, Any]:
        """Replaces the secret; the answer shows the new one this once."""
        return self._change(_one(webhook_id) + "/rotate-secret", "POST", {"version": version})

    def test(self, webhook_id: str) -> Dict[str, Any]:
        """Queues a ``manual.trigger``."""
        return self._change(_one(webhook_id) + "/test", "POST", {})

    def redeliver(self, delivery_id: str) -> Dict[str, Any]:
        """Sends a finished delivery again: the same id and bytes, to the present address."""
        path = f"{ALL}/deliveries/{quoted(delivery_id, safe='')}/redeliver"
        return self._change(path, "POST", {})

    def redeliver_since(self, webhook_id: str, since: str) -> Dict[str, Any]:
        """Sends what it missed since an ISO instant again, oldest first, a hundred at the most."""
        return self._change(_one(webhook_id) + "/redeliver", "POST", {"since": since})

    def deliveries(
        self,
        *,
        webhook_id: Optional[str] = None,
        delivery_id: Optional[str] = None,
        status: Optional[str] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> DeliveryPage:
        """What was sent, newest first, a page at a time."""
        query = {
            "webhookId": webhook_id,
            "deliveryId": delivery_id,
            "status": status,
            "cursor": cursor,
            "limit": limit,
        }
        return cast(DeliveryPage, self.transport.ask(ALL + "/deliveries", query, private=True))

    def _change(self, path: str, method: str, body: Mapping[str, Any]) -> Dict[str, Any]:
        answer = self.transport.ask(path, method=method, body=body, private=True, repeatable=False)
        return cast(Dict[str, Any], answer)


def _one(webhook_id: str) -> str:
    return f"{ALL}/{quoted(webhook_id, safe='')}"


def verify_webhook(
    body: bytes, headers: Mapping[str, str], secret: str, now: Optional[float] = None
) -> Optional[Dict[str, Any]]:
    """The event of a delivery whose signature and time hold; None when they do not.

    ``body`` is what came, before any parsing; ``secret`` is its text, or ``standardSecret``. It takes
    the signature of Standard Webhooks, which covers the delivery id too; where that is absent, our
    own, which does not. A delivery may come twice: keep the header ``X-Service-Delivery-Id`` and drop
    what you have seen.
    """
    given = {name.lower(): value for name, value in headers.items()}
    text = b64decode(secret[len(STANDARD) :]).decode() if secret.startswith(STANDARD) else secret
    standard = given.get("webhook-signature")
    if standard is not None:
        delivery_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
        valid = verify_standard(text, delivery_id, timestamp, body, standard, now)
        # The id that is kept is the one that was signed.
        valid = valid and given.get("x-service-delivery-id", delivery_id) == delivery_id
    else:
        timestamp, signature = given.get("x-service-timestamp", ""), given.get("x-service-signature", "")
        valid = verify(text, timestamp, body, signature, now)
    return cast(Dict[str, Any], json.loads(body, parse_float=Decimal)) if valid else None
