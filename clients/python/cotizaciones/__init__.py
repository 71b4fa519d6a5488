"""Client of the Cotizaciones API, with the standard library alone."""

from .client import Client
from .transport import ApiError, CotizacionesError, NetworkError, RequestTimeoutError
from .verification import standard_secret, verify_webhook

__all__ = [
    "ApiError",
    "Client",
    "CotizacionesError",
    "NetworkError",
    "RequestTimeoutError",
    "standard_secret",
    "verify_webhook",
]
