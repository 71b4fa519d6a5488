"""Client of the Cotizaciones API that only needs the standard library."""

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
