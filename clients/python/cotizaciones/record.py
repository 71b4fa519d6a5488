"""Walks the signed manifests of the open data, and says from when to when they hold."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from . import ed25519
from .errors import ApiError
from .transport import Transport

KEYS_PATH = "/.well-known/cotizaciones-keys.json"

#: A file of the open data has some megabytes.
FILE_TIMEOUT = 60.0


@dataclass(frozen=True)
class RewrittenDays:
    """Days in a row that a manifest says were rewritten."""

    from_: str
    to: str
    #: Of the corrections that reach them; none when an import changed them.
    reasons: List[str]
    manifest: str
    built_at: str


@dataclass
class RecordReport:
    """What a walk found."""

    #: From the last back, the days of the manifests that hold; None when the last does not.
    from_: Optional[str] = None
    to: Optional[str] = None
    manifests: int = 0
    unsigned: int = 0
    #: The ``kid`` of each key that signed.
    keys: List[str] = field(default_factory=list)
    #: Oldest first.
    rewritten: List[RewrittenDays] = field(default_factory=list)
    #: What is wrong (``missing``, ``altered``, ``out_of_order``, ``wrong_signature``,
    #: ``unknown_key``, ``unsigned``, ``unnamed_change``), and of which manifest, file or day.
    problems: List[Tuple[str, str]] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether no problem was found."""
        return not self.problems


def verify_record(
    transport: Transport,
    *,
    keys: Optional[Sequence[str]],
    since: Optional[str],
    days: Sequence[str],
    files: bool,
) -> RecordReport:
    """Walks from the last manifest to the first."""
    head = _head(transport)
    report = _Walk(transport, keys, since, days, files).walk(head)
    if report.holds:
        return report
    # A night that was published meanwhile takes the files of this one away.
    now = _head(transport)
    if now == head:
        return report
    return _Walk(transport, keys, since, days, files).walk(now)


def _head(transport: Transport) -> Dict[str, Any]:
    manifest: Dict[str, Any] = transport.ask("/datos/archivos.json")["manifest"]
    return manifest


class _Walk:
    def __init__(
        self,
        transport: Transport,
        keys: Optional[Sequence[str]],
        since: Optional[str],
        days: Sequence[str],
        files: bool,
    ) -> None:
        self._transport = replace(transport, timeout=max(transport.timeout, FILE_TIMEOUT))
        self._believed = keys
        self._since = since
        self._days = days
        self._files = files
        self._report = RecordReport()

    def walk(self, head: Dict[str, Any]) -> RecordReport:
        report = self._report
        listed = self._transport.ask(KEYS_PATH)["keys"]
        public_keys = {key["kid"]: key["x"] for key in listed}
        signed: Set[str] = set()
        sums: Optional[Dict[str, str]] = None
        newer: Optional[Dict[str, Any]] = None
        named: Optional[Dict[str, Any]] = head
        while named is not None:
            body = self._checked(_name_of(named["url"]), named["url"], named["sha256"])
            if body is None:
                break
            manifest = json.loads(body)
            is_next = newer is None or manifest["number"] == newer["number"] - 1
            if not is_next or (manifest["previous"] is None) != (manifest["number"] == 1):
                self._problem("out_of_order", manifest["name"])
                break
            report.manifests += 1
            self._check_signature(manifest, named["url"], body, public_keys, signed)
            if sums is None:
                sums = self._check_files(manifest)
            self._check_days(manifest, sums)
            if report.holds:
                report.from_ = manifest["lastDay"]
                report.to = report.to or manifest["lastDay"]
            if self._since is not None and manifest["lastDay"] <= self._since:
                break
            newer, named = manifest, manifest["previous"]
        if sums is not None:
            for day in self._days:
                self._checked(f"{day}.csv", f"/datos/dias/{day}.csv", sums.get(day))
        report.keys = sorted(signed)
        report.rewritten.reverse()
        return report

    def _check_signature(
        self,
        manifest: Dict[str, Any],
        url: str,
        body: bytes,
        public_keys: Dict[str, str],
        signed: Set[str],
    ) -> None:
        name, kid = manifest["name"], manifest["key"]
        if kid is None:
            self._report.unsigned += 1
            if self._believed is not None:
                self._problem("unsigned", name)
            return
        x = public_keys.get(kid)
        is_believed = self._believed is None or kid in self._believed
        if x is None or _thumbprint(x) != kid or not is_believed:
            self._problem("unknown_key", name)
            return
        signature = self._bytes(f"{url}.sig")
        if signature is None:
            self._problem("missing", f"{_name_of(url)}.sig")
        elif not _is_signed(x, body, signature):
            self._problem("wrong_signature", name)
        else:
            signed.add(kid)

    def _check_files(self, manifest: Dict[str, Any]) -> Dict[str, str]:
        """Checks the files of the last night; the SHA-256 of each day's file, by their day."""
        sums = b""
        for file in manifest["files"]:
            is_sums = file["name"] == "dias.sha256"
            if not self._files and not is_sums:
                continue
            contents = self._checked(file["name"], file["url"], file["sha256"])
            if is_sums and contents is not None:
                sums = contents
        lines = re.findall(r"^([0-9a-f]{64})  (.+)\.csv$", sums.decode(), re.MULTILINE)
        return {day: digest for digest, day in lines}

    def _check_days(self, manifest: Dict[str, Any], sums: Dict[str, str]) -> None:
        """Each day of a manifest is as the last night has it, or a later one says that it is not."""
        for day in manifest["days"]:
            date = day["date"]
            is_named = any(run.from_ <= date <= run.to for run in self._report.rewritten)
            if not is_named and sums.get(date) != day["sha256"]:
                self._problem("unnamed_change", date)
        for run in reversed(manifest["rewritten"]):
            self._report.rewritten.append(
                RewrittenDays(
                    run["from"], run["to"], run["reasons"], manifest["name"], manifest["builtAt"]
                )
            )

    def _checked(self, name: str, path: str, sha256: Optional[str]) -> Optional[bytes]:
        """The bytes, where they are those that were named."""
        contents = self._bytes(path)
        if contents is None:
            self._problem("missing", name)
        elif hashlib.sha256(contents).hexdigest() != sha256:
            self._problem("altered", name)
        else:
            return contents
        return None

    def _bytes(self, path: str) -> Optional[bytes]:
        """None when there is nothing there."""
        try:
            return self._transport.ask_bytes(path)
        except ApiError as error:
            if error.status == 404:
                return None
            raise

    def _problem(self, kind: str, name: str) -> None:
        self._report.problems.append((kind, name))


def _name_of(url: str) -> str:
    return url.rsplit("/", 1)[-1]


def _thumbprint(x: str) -> str:
    """The name of a public key that nobody can give to another one (RFC 7638)."""
    members = f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode()
    return base64.urlsafe_b64encode(hashlib.sha256(members).digest()).decode().rstrip("=")


def _is_signed(x: str, body: bytes, signature: bytes) -> bool:
    try:
        key = base64.urlsafe_b64decode(x + "=" * (-len(x) % 4))
        return ed25519.verify(key, body, base64.b64decode(signature.strip()))
    except binascii.Error:
        return False
