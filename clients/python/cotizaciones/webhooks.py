"""The management of the account's webhooks and alerts."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, Mapping, Optional, TypeVar, Union, cast
from urllib.parse import quote as quoted

from .transport import Number, Transport, Value

if TYPE_CHECKING:
    from . import types as t

Listed = TypeVar("Listed")
Created = TypeVar("Created")
Read = TypeVar("Read")
Edited = TypeVar("Edited")
Rotated = TypeVar("Rotated")
Tested = TypeVar("Tested")
Page = TypeVar("Page")


@dataclass(frozen=True)
class Subscriptions(Generic[Listed, Created, Read, Edited, Rotated, Tested, Page]):
    """The methods of webhooks and of alerts. Each needs a key. Fields have the names of the API."""

    transport: Transport
    #: ``webhook`` or ``alert``.
    kind: str

    def list(self) -> Listed:
        """All webhooks or alerts of the account, without URL and secret, and the limit."""
        return cast(Listed, self.transport.call(self._path(), private=True))

    def get(self, id: str) -> Read:
        """The webhook or alert with an id, with its URL."""
        return cast(Read, self.transport.call(self._path(id), private=True))

    def create(
        self, currency: str, origin: str, *, operation_id: Optional[str] = None, **fields: Any
    ) -> Created:
        """Creates a webhook (with ``url=``) or an alert (with ``condition=``, ``threshold=``, and
        ``url=`` or ``channel="email"``). The same ``operation_id`` does not create a second.
        """
        pair = {"currency": currency.upper(), "origin": origin.upper()}
        body = _body({"operationId": operation_id or str(uuid.uuid4()), **pair, **fields})
        return cast(Created, self.transport.call(self._path(), method="POST", body=body, private=True))

    def edit(self, id: str, version: Number, **changes: Any) -> Edited:
        """Edits, pauses (``enabled=False``) or activates (``enabled=True``)."""
        return cast(Edited, self._change(self._path(id), {"version": version, **changes}, "PATCH"))

    def delete(self, id: str, version: Number) -> t.WebhookDeleted:
        """Deletes it, with its secrets and deliveries."""
        return cast("t.WebhookDeleted", self._change(self._path(id), {"version": version}, "DELETE"))

    def rotate_secret(self, id: str, version: Number) -> Rotated:
        """Replaces the secret. Only this answer shows the new secret."""
        return cast(Rotated, self._change(self._path(id, "rotate-secret"), {"version": version}))

    def test(self, id: str) -> Tested:
        """Queues a test delivery, which shows whether the receiver accepts deliveries."""
        return cast(Tested, self._change(self._path(id, "test"), {}))

    def redeliver(self, delivery_id: str) -> t.RedeliveryQueued:
        """Sends a finished delivery again, with the same id and bytes, to the current URL."""
        path = self._path("deliveries", delivery_id, "redeliver")
        return cast("t.RedeliveryQueued", self._change(path, {}))

    def redeliver_since(self, id: str, since: str) -> t.Redelivered:
        """Sends missed deliveries since an instant again, oldest first, at most 100 per call."""
        return cast("t.Redelivered", self._change(self._path(id, "redeliver"), {"since": since}))

    def deliveries(self, **query: Value) -> Page:
        """The deliveries, newest first, in pages: ``status=``, ``cursor=``, ``limit=``, …"""
        return cast(Page, self.transport.call(self._path("deliveries"), query, private=True))

    def _change(self, path: str, body: Mapping[str, Any], method: str = "POST") -> Any:
        return self.transport.call(path, method=method, body=_body(body), private=True, repeatable=False)

    def _path(self, *below: str) -> str:
        return "/".join([f"/api/v2/{self.kind}s", *(quoted(part, safe="") for part in below)])


def _body(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Converts the numbers that a caller may give as text, so that they keep their digits."""
    return {
        name: Decimal(str(value)) if name in ("threshold", "hysteresis", "version") else value
        for name, value in fields.items()
    }


class Webhooks(
    Subscriptions[
        "t.WebhookList",
        "Union[t.WebhookIssued, t.WebhookReconciled]",
        "t.WebhookRead",
        "t.WebhookEdited",
        "t.WebhookRotated",
        "t.TestQueued",
        "t.DeliveryPage",
    ]
):
    """The account's webhooks."""


class Alerts(
    Subscriptions[
        "t.AlertList",
        "Union[t.AlertIssued, t.AlertReconciled]",
        "t.AlertRead",
        "t.AlertEdited",
        "t.AlertRotated",
        "t.AlertTestQueued",
        "t.AlertDeliveryPage",
    ]
):
    """The account's alerts."""
