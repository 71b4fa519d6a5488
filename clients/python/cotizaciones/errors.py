"""What the client raises."""

from __future__ import annotations

from typing import Optional


class ApiError(Exception):
    """The API refused or could not answer: its status, its Spanish text, and how long to wait."""

    def __init__(self, status: int, message: str, retry_after: Optional[int]) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        #: Seconds, when the API said so.
        self.retry_after = retry_after
