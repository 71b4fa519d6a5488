"""The proof of the open data against a record of its own, in which one thing is wrong."""

from __future__ import annotations

import base64
import hashlib
import json
import unittest
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from cotizaciones import ed25519
from cotizaciones.errors import ApiError
from cotizaciones.record import verify_record
from cotizaciones.transport import Transport

# RFC 8032, section 7.1: (secret key, public key, message, signature) without the secret keys.
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


class Signatures(unittest.TestCase):
    def test_are_right_as_the_rfc_has_them(self) -> None:
        for key, message, signature in VECTORS:
            given = [bytes.fromhex(text) for text in (key, message, signature)]
            self.assertTrue(ed25519.verify(*given))

    def test_of_other_bytes_are_wrong(self) -> None:
        key, message, signature = (bytes.fromhex(text) for text in VECTORS[2])
        for place in range(64):
            other = bytearray(signature)
            other[place] ^= 1
            self.assertFalse(ed25519.verify(key, message, bytes(other)))
        self.assertFalse(ed25519.verify(key, message + b"x", signature))
        self.assertFalse(ed25519.verify(bytes.fromhex(VECTORS[1][0]), message, signature))
        self.assertFalse(ed25519.verify(key, message, signature[:63]))
        # S + L is the same number, and no signature (section 5.1.7).
        order = 2**252 + 27742317777372353535851937790883648493
        high = (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
        self.assertFalse(ed25519.verify(key, message, signature[:32] + high))


def _sum(contents: bytes) -> str:
    return hashlib.sha256(contents).hexdigest()


@dataclass(frozen=True)
class Record(Transport):
    """Three nights without a key; ``paths`` may be changed before it is asked."""

    paths: Dict[str, bytes] = field(default_factory=dict)

    def serve(self) -> "Record":
        day_sums = "".join(f"{_sum(day.encode())}  {day}.csv\n" for day in DAYS).encode()
        previous: Optional[Dict[str, Any]] = None
        for number, day in enumerate(DAYS, 1):
            manifest = {
                "number": number,
                "name": day,
                "lastDay": day,
                "builtAt": f"{day}T03:05:00.000Z",
                "key": None,
                "previous": previous,
                "files": [{"name": "dias.sha256", "url": "/datos/dias.sha256", "sha256": _sum(day_sums)}],
                "days": [{"date": day, "sha256": _sum(day.encode())}],
                "rewritten": [],
            }
            self.change(manifest)
            body = json.dumps(manifest).encode()
            url = f"/datos/manifiestos/{day}.json"
            self.paths[url] = body
            previous = {"url": url, "sha256": _sum(body)}
        self.paths["/datos/dias.sha256"] = day_sums
        self.paths["/datos/archivos.json"] = json.dumps({"manifest": previous}).encode()
        self.paths["/.well-known/cotizaciones-keys.json"] = b'{"keys": []}'
        for day in DAYS:
            self.paths[f"/datos/dias/{day}.csv"] = day.encode()
        return self

    def change(self, manifest: Dict[str, Any]) -> None:
        """Of a manifest before it is served."""

    def ask(self, path: str, *_: Any, **__: Any) -> Any:
        return json.loads(self.ask_bytes(path))

    def ask_bytes(self, path: str) -> bytes:
        if path not in self.paths:
            raise ApiError(404, "No", None)
        return self.paths[path]


DAYS = ["2026-03-01", "2026-03-02", "2026-03-03"]


class Walks(unittest.TestCase):
    def verify(self, record: Record, **options: Any) -> Any:
        asked: Dict[str, Any] = {"keys": None, "since": None, "days": [], "files": True}
        return verify_record(record, **{**asked, **options})

    def test_hold_from_the_first_to_the_last(self) -> None:
        report = self.verify(Record("http://x").serve(), days=DAYS)
        self.assertEqual((report.holds, report.from_, report.to), (True, DAYS[0], DAYS[2]))
        self.assertEqual((report.manifests, report.unsigned), (3, 3))
        short = self.verify(Record("http://x").serve(), since=DAYS[1])
        self.assertEqual((short.from_, short.manifests), (DAYS[1], 2))

    def test_find_what_is_wrong(self) -> None:
        second = f"/datos/manifiestos/{DAYS[1]}.json"
        cases: List[Any] = [
            (second, None, ("missing", f"{DAYS[1]}.json"), DAYS[2]),
            (second, b"{}", ("altered", f"{DAYS[1]}.json"), DAYS[2]),
            ("/datos/dias.sha256", b"", ("altered", "dias.sha256"), None),
            (f"/datos/dias/{DAYS[0]}.csv", b"x", ("altered", f"{DAYS[0]}.csv"), DAYS[0]),
        ]
        for path, contents, problem, from_ in cases:
            with self.subTest(path=path, contents=contents):
                record = Record("http://x").serve()
                if contents is None:
                    del record.paths[path]
                else:
                    record.paths[path] = contents
                report = self.verify(record, days=DAYS[:1])
                self.assertEqual((report.problems[0], report.from_), (problem, from_))

    def test_find_a_day_that_no_manifest_says_was_rewritten(self) -> None:
        class Rewritten(Record):
            def change(self, manifest: Dict[str, Any]) -> None:
                if manifest["number"] == 1:
                    manifest["days"][0]["sha256"] = "0" * 64

        class Named(Rewritten):
            def change(self, manifest: Dict[str, Any]) -> None:
                super().change(manifest)
                if manifest["number"] == 3:
                    manifest["rewritten"] = [{"from": DAYS[0], "to": DAYS[0], "reasons": ["why"]}]

        report = self.verify(Rewritten("http://x").serve())
        self.assertEqual(report.problems, [("unnamed_change", DAYS[0])])
        named = self.verify(Named("http://x").serve())
        self.assertTrue(named.holds)
        self.assertEqual([(run.from_, run.reasons) for run in named.rewritten], [(DAYS[0], ["why"])])

    def test_find_keys_and_signatures_that_are_wrong(self) -> None:
        public = base64.urlsafe_b64encode(bytes.fromhex(VECTORS[0][0])).decode().rstrip("=")
        members = f'{{"crv":"Ed25519","kty":"OKP","x":"{public}"}}'.encode()
        kid = base64.urlsafe_b64encode(hashlib.sha256(members).digest()).decode().rstrip("=")

        class Signed(Record):
            def change(self, manifest: Dict[str, Any]) -> None:
                manifest["key"] = kid if manifest["number"] == 3 else None

        last = f"/datos/manifiestos/{DAYS[2]}.json"
        record = Signed("http://x").serve()
        self.assertEqual(self.verify(record).problems, [("unknown_key", DAYS[2])])
        keys = "/.well-known/cotizaciones-keys.json"
        record.paths[keys] = json.dumps({"keys": [{"kid": kid, "x": public}]}).encode()
        self.assertEqual(self.verify(record).problems, [("missing", f"{DAYS[2]}.json.sig")])
        record.paths[f"{last}.sig"] = base64.b64encode(bytes.fromhex(VECTORS[0][2]))
        self.assertEqual(self.verify(record).problems, [("wrong_signature", DAYS[2])])
        record.paths[keys] = json.dumps({"keys": [{"kid": kid, "x": public[::-1]}]}).encode()
        self.assertEqual(self.verify(record).problems, [("unknown_key", DAYS[2])])


if __name__ == "__main__":
    unittest.main()
