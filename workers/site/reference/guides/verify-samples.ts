/** How to verify a signature. `test/delivery/verify-samples.node.test.ts` runs each sample. */

export const standardTypescript = `import { Webhook } from 'standardwebhooks'

const event = new Webhook(process.env.WEBHOOK_SECRET!).verify(rawBody, headers)`

export const standardPython = `from standardwebhooks import Webhook

event = Webhook(os.environ["WEBHOOK_SECRET"]).verify(raw_body, headers)`

export const typescript = `import { createHmac, timingSafeEqual } from 'node:crypto'

export function verify(
  secret: string,
  timestamp: string,
  body: Buffer,
  signature: string,
  now = Date.now() / 1000,
): boolean {
  const mac = createHmac('sha256', secret).update(\`\${timestamp}.\`).update(body).digest('hex')
  const expected = Buffer.from(\`sha256=\${mac}\`)
  const given = Buffer.from(signature)

  return (
    Math.abs(now - Number(timestamp)) <= 300 &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  )
}`

export const python = `from __future__ import annotations

import hashlib
import hmac
import time


def verify(secret: str, timestamp: str, body: bytes, signature: str, now: float | None = None) -> bool:
    """Whether a delivery was signed with the secret, at most five minutes from now."""
    message = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    clock = time.time() if now is None else now
    fresh = timestamp.isascii() and timestamp.isdigit() and abs(clock - int(timestamp)) <= 300
    return fresh and hmac.compare_digest(expected.encode(), signature.encode())`

export const php = `<?php
function verify(string $secret, string $timestamp, string $body, string $signature, ?int $now = null): bool
{
    $expected = 'sha256=' . hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    $fresh = abs(($now ?? time()) - (int) $timestamp) <= 300;
    return $fresh && hash_equals($expected, $signature);
}`

export const go = `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

func Verify(secret, timestamp string, body []byte, signature string, now time.Time) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))

	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now.Unix()-seconds > 300 || seconds-now.Unix() > 300 {
		return false
	}
	return hmac.Equal([]byte(expected), []byte(signature))
}`

/** What the samples say of the secret `0123456789abcdef` four times and the timestamp 1700000000. */
export const knownAnswers = [
  [
    '{"event":"rate.updated","currency":"USD","origin":"BLUE"}',
    'sha256=aebc96b0be415490cee704532d25058e9aa063e49d0a22f950042ca3f44d1be4',
  ],
  [
    '{"name":"Dólar ñandú €"}',
    'sha256=d94ed119f4845441db48a700ddc69bae8db3d3dfe321a61fb495ab58a33dfef6',
  ],
] as const
