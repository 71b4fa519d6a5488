"""Client of the Cotizaciones API, with the standard library alone."""

from .client import Client
from .errors import ApiError
from .webhooks import verify_webhook

__all__ = ["ApiError", "Client", "verify_webhook"]
