"""The management of the account's webhooks and alerts."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, cast
from urllib.parse import quote as quoted

from .transport import Transport, Value


@dataclass(frozen=True)
class Subscriptions:
    """Webhooks or alerts. Each method needs a key; fields have the names of the API."""

    transport: Transport
    #: ``webhook`` or ``alert``.
    kind: str

    def list(self) -> Dict[str, Any]:
        """All of the account, without address and secret, and the limit."""
        return cast(Dict[str, Any], self.transport.ask(self._path(), private=True))

    def create(
        self, currency: str, origin: str, *, operation_id: Optional[str] = None, **fields: Any
    ) -> Dict[str, Any]:
        """Makes one. The same ``operation_id`` twice makes one; its secret shows once.

        A webhook takes ``url=``, ``enabled=`` and ``receiverAuthorization=``; an alert also
        ``condition=``, ``threshold=`` and the rest, and ``channel="email"`` in place of an address.
        """
        pair = {"currency": currency.upper(), "origin": origin.upper()}
        body = {"operationId": operation_id or str(uuid.uuid4()), **pair, **fields}
        answer = self.transport.ask(self._path(), method="POST", body=body, private=True)
        return cast(Dict[str, Any], answer)

    def get(self, id: str) -> Dict[str, Any]:
        """One, with its address."""
        return cast(Dict[str, Any], self.transport.ask(self._path(id), private=True)[self.kind])

    def edit(self, id: str, version: int, **changes: Any) -> Dict[str, Any]:
        """Edits, pauses (``enabled=False``) or activates (``enabled=True``)."""
        return self._change(self._path(id), {"version": version, **changes}, "PATCH")

    def delete(self, id: str, version: int) -> Dict[str, Any]:
        """Removes it, with its secrets and deliveries."""
        return self._change(self._path(id), {"version": version}, "DELETE")

    def rotate_secret(self, id: str, version: int) -> Dict[str, Any]:
        """Replaces the secret; the answer shows the new one this once."""
        return self._change(self._path(id, "rotate-secret"), {"version": version})

    def test(self, id: str) -> Dict[str, Any]:
        """Queues an event that shows whether the receiver takes it."""
        return self._change(self._path(id, "test"), {})

    def redeliver(self, delivery_id: str) -> Dict[str, Any]:
        """Sends a finished delivery again: the same id and bytes, to the present address."""
        return self._change(self._path("deliveries", delivery_id, "redeliver"), {})

    def redeliver_since(self, id: str, since: str) -> Dict[str, Any]:
        """Sends what it missed since an ISO instant again, oldest first, a hundred at the most."""
        return self._change(self._path(id, "redeliver"), {"since": since})

    def deliveries(self, **query: Value) -> Dict[str, Any]:
        """What was sent, newest first, a page at a time: ``status=``, ``cursor=``, ``limit=``, …"""
        answer = self.transport.ask(self._path("deliveries"), query, private=True)
        return cast(Dict[str, Any], answer)

    def _change(self, path: str, body: Mapping[str, Any], method: str = "POST") -> Dict[str, Any]:
        answer = self.transport.ask(path, method=method, body=body, private=True, repeatable=False)
        return cast(Dict[str, Any], answer)

    def _path(self, *below: str) -> str:
        return "/".join([f"/api/v2/{self.kind}s", *(quoted(part, safe="") for part in below)])
