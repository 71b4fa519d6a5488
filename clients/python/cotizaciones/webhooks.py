"""The management of the account's webhooks and alerts."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, cast
from urllib.parse import quote as quoted

from .transport import Query, Transport
from .types import DeliveryPage, OwnWebhook


@dataclass(frozen=True)
class _Managed:
    """What webhooks and alerts have alike, below ``path``. Each method needs a key."""

    transport: Transport
    path: str

    def list(self) -> Dict[str, Any]:
        """All of the account, without address and secret, and the limit."""
        return cast(Dict[str, Any], self.transport.ask(self.path, private=True))

    def edit(self, id: str, version: int, **changes: Any) -> Dict[str, Any]:
        """Edits, pauses (``enabled=False``) or activates (``enabled=True``); fields as in the API."""
        return self._change(self._one(id), {"version": version, **changes}, "PATCH")

    def delete(self, id: str, version: int) -> Dict[str, Any]:
        """Removes it, with its secrets and deliveries."""
        return self._change(self._one(id), {"version": version}, "DELETE")

    def rotate_secret(self, id: str, version: int) -> Dict[str, Any]:
        """Replaces the secret; the answer shows the new one this once."""
        return self._change(self._one(id) + "/rotate-secret", {"version": version})

    def test(self, id: str) -> Dict[str, Any]:
        """Queues an event that shows whether the receiver takes it."""
        return self._change(self._one(id) + "/test", {})

    def redeliver(self, delivery_id: str) -> Dict[str, Any]:
        """Sends a finished delivery again: the same id and bytes, to the present address."""
        return self._change(f"{self.path}/deliveries/{quoted(delivery_id, safe='')}/redeliver", {})

    def redeliver_since(self, id: str, since: str) -> Dict[str, Any]:
        """Sends what it missed since an ISO instant again, oldest first, a hundred at the most."""
        return self._change(self._one(id) + "/redeliver", {"since": since})

    def _make(self, operation_id: Optional[str], fields: Mapping[str, Any]) -> Dict[str, Any]:
        body = {"operationId": operation_id or str(uuid.uuid4()), **fields}
        answer = self.transport.ask(self.path, method="POST", body=body, private=True)
        return cast(Dict[str, Any], answer)

    def _read(self, path: str, query: Optional[Query] = None) -> Any:
        return self.transport.ask(path, query, private=True)

    def _change(self, path: str, body: Mapping[str, Any], method: str = "POST") -> Dict[str, Any]:
        answer = self.transport.ask(path, method=method, body=body, private=True, repeatable=False)
        return cast(Dict[str, Any], answer)

    def _one(self, id: str) -> str:
        return f"{self.path}/{quoted(id, safe='')}"


class Webhooks(_Managed):
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
        fields = {
            "url": url,
            "currency": currency.upper(),
            "origin": origin.upper(),
            "enabled": enabled,
            "receiverAuthorization": receiver_authorization,
        }
        given = {name: value for name, value in fields.items() if value is not None}
        return self._make(operation_id, given)

    def get(self, id: str) -> OwnWebhook:
        """One webhook, with its address."""
        return cast(OwnWebhook, self._read(self._one(id))["webhook"])

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
        query: Query = {
            "webhookId": webhook_id,
            "deliveryId": delivery_id,
            "status": status,
            "cursor": cursor,
            "limit": limit,
        }
        return cast(DeliveryPage, self._read(self.path + "/deliveries", query))


class Alerts(_Managed):
    """Fields are those of the API: ``condition``, ``threshold``, …"""

    def create(
        self,
        currency: str,
        origin: str,
        condition: str,
        threshold: float,
        *,
        operation_id: Optional[str] = None,
        **fields: Any,
    ) -> Dict[str, Any]:
        """Makes one, by ``url=`` or ``channel="email"``. The same ``operation_id`` makes no second."""
        pair = {"currency": currency.upper(), "origin": origin.upper()}
        return self._make(
            operation_id, {**pair, "condition": condition, "threshold": threshold, **fields}
        )

    def get(self, id: str) -> Dict[str, Any]:
        """One alert, with its address."""
        return cast(Dict[str, Any], self._read(self._one(id))["alert"])

    def deliveries(
        self, *, alert_id: Optional[str] = None, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> Dict[str, Any]:
        """What was sent, newest first, a page at a time."""
        query: Query = {"alertId": alert_id, "cursor": cursor, "limit": limit}
        return cast(Dict[str, Any], self._read(self.path + "/deliveries", query))
