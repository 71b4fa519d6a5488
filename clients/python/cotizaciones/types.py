"""What the API answers, field by field as in the contract."""

from __future__ import annotations

from decimal import Decimal
from typing import List, Optional, TypedDict, Union

#: A price as it stands in the answer; fractions are never floats.
Number = Union[int, Decimal]


class Quote(TypedDict):
    currency: str
    name: str
    origin: str
    buy: Optional[Number]
    sell: Optional[Number]
    updatedAt: str
    lastScrapedAt: str
    valueType: str


class Change(TypedDict):
    amount: Number
    percent: Number
    referenceValue: Number


class CurrentQuote(Quote):
    change: Optional[Change]


class QuoteAsOf(TypedDict):
    requestedAt: str
    currency: str
    name: str
    origin: str
    buy: Optional[Number]
    sell: Optional[Number]
    valueType: str
    quotedAt: Optional[str]
    sameDay: bool
    daysStale: Optional[int]
    ageSeconds: Optional[int]


class HistoryPoint(TypedDict):
    buy: Optional[Number]
    sell: Optional[Number]
    createdAt: str


class Candle(TypedDict):
    date: str
    open: Number
    high: Number
    low: Number
    close: Number
    buy: Number


class Candles(TypedDict):
    currency: str
    name: str
    origin: str
    valueType: str
    interval: str
    points: List[Candle]
