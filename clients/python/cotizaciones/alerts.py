"""The management of the account's alerts."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, cast
from urllib.parse import quote as quoted

from .transport import Transport

ALL = "/api/v2/alerts"


@dataclass(frozen=True)
class Alerts:
    """Each method needs a key. Fields are those of the API: ``condition``, ``threshold``, …"""

    transport: Transport

    def list(self) -> Dict[str, Any]:
        """The account's alerts, with the value that each looks at, and the limit."""
        return cast(Dict[str, Any], self.transport.ask(ALL, private=True))

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
        body = {
            "operationId": operation_id or str(uuid.uuid4()),
            "currency": currency.upper(),
            "origin": origin.upper(),
            "condition": condition,
            "threshold": threshold,
            **fields,
        }
        answer = self.transport.ask(ALL, method="POST", body=body, private=True)
        return cast(Dict[str, Any], answer)

    def get(self, alert_id: str) -> Dict[str, Any]:
        """One alert, with its address."""
        return cast(Dict[str, Any], self.transport.ask(_one(alert_id), private=True)["alert"])

    def edit(self, alert_id: str, version: int, **changes: Any) -> Dict[str, Any]:
        """Edits, pauses (``enabled=False``) or activates (``enabled=True``)."""
        return self._change(_one(alert_id), "PATCH", {"version": version, **changes})

    def delete(self, alert_id: str, version: int) -> Dict[str, Any]:
        """Removes it, with its secrets and deliveries."""
        return self._change(_one(alert_id), "DELETE", {"version": version})

    def rotate_secret(self, alert_id: str, version: int) -> Dict[str, Any]:
        """Replaces the secret; the answer shows the new one this once."""
        return self._change(_one(alert_id) + "/rotate-secret", "POST", {"version": version})

    def test(self, alert_id: str) -> Dict[str, Any]:
        """Queues an ``alert.test``."""
        return self._change(_one(alert_id) + "/test", "POST", {})

    def redeliver(self, delivery_id: str) -> Dict[str, Any]:
        """Sends a finished delivery again: the same id and bytes, to the present address."""
        path = f"{ALL}/deliveries/{quoted(delivery_id, safe='')}/redeliver"
        return self._change(path, "POST", {})

    def redeliver_since(self, alert_id: str, since: str) -> Dict[str, Any]:
        """Sends what it missed since an ISO instant again, oldest first, a hundred at the most."""
        return self._change(_one(alert_id) + "/redeliver", "POST", {"since": since})

    def deliveries(
        self, *, alert_id: Optional[str] = None, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> Dict[str, Any]:
        """What was sent, newest first, a page at a time."""
        query = {"alertId": alert_id, "cursor": cursor, "limit": limit}
        return cast(Dict[str, Any], self.transport.ask(ALL + "/deliveries", query, private=True))

    def _change(self, path: str, method: str, body: Mapping[str, Any]) -> Dict[str, Any]:
        answer = self.transport.ask(path, method=method, body=body, private=True, repeatable=False)
        return cast(Dict[str, Any], answer)


def _one(alert_id: str) -> str:
    return f"{ALL}/{quoted(alert_id, safe='')}"
