/** How to verify a signature. `test/delivery/verify-samples.node.test.ts` runs each sample. */

export const standardTypescript = `import { Webhook } from 'standardwebhooks'

const event = new Webhook(process.env.WEBHOOK_SECRET!).verify(rawBody, headers)`

export const standardPython = `from standardwebhooks import Webhook

event = Webhook(os.environ["WEBHOOK_SECRET"]).verify(raw_body, headers)`

export const typescript = `import { createHmac, timingSafeEqual } from 'node:crypto'

export function verify(
  secret: string,
  id: string,
  timestamp: string,
  body: Buffer,
  signature: string,
  now = Date.now() / 1000,
): boolean {
  const signed = Buffer.concat([Buffer.from(\`\${id}.\${timestamp}.\`), body])
  const expected = Buffer.from(\`v1,\${createHmac('sha256', secret).update(signed).digest('base64')}\`)
  const given = Buffer.from(signature)

  return (
    Math.abs(now - Number(timestamp)) <= 300 &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  )
}`

export const python = `import hmac
import time
from base64 import b64encode


def verify(secret: str, id: str, timestamp: str, body: bytes, signature: str, now: float = 0) -> bool:
    signed = f"{id}.{timestamp}.".encode() + body
    expected = b"v1," + b64encode(hmac.digest(secret.encode(), signed, "sha256"))
    fresh = timestamp[:12].isdecimal() and abs((now or time.time()) - int(timestamp[:12])) <= 300
    return fresh and hmac.compare_digest(expected, signature.encode())`

export const php = `<?php
function verify(
    string $secret, string $id, string $timestamp, string $body, string $signature, ?int $now = null
): bool {
    $mac = hash_hmac('sha256', "$id.$timestamp.$body", $secret, true);
    $fresh = abs(($now ?? time()) - (int) $timestamp) <= 300;
    return $fresh && hash_equals('v1,' . base64_encode($mac), $signature);
}`

export const go = `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"time"
)

func Verify(secret, id, timestamp string, body []byte, signature string, now time.Time) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))

	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now.Unix()-seconds > 300 || seconds-now.Unix() > 300 {
		return false
	}
	return hmac.Equal([]byte(expected), []byte(signature))
}`

/**
 * Bodies with their `webhook-signature` and `X-Service-Signature`, for this id, the timestamp
 * 1700000000 and the secret `0123456789abcdef` repeated four times.
 */
export const KNOWN_ID = '019a0000-0000-7000-8000-000000000001'
export const knownAnswers = [
  [
    '{"event":"rate.updated","currency":"USD","origin":"BLUE"}',
    'v1,64CjuyxDRFGnKZr9yNpe1cMoO4pr31AUpk73+iXIE5k=',
    'sha256=aebc96b0be415490cee704532d25058e9aa063e49d0a22f950042ca3f44d1be4',
  ],
  [
    '{"name":"Dólar ñandú €"}',
    'v1,7mkcZq+218BYOfBraylPX2vf0Dk9dpzGbttjALPlz/M=',
    'sha256=d94ed119f4845441db48a700ddc69bae8db3d3dfe321a61fb495ab58a33dfef6',
  ],
] as const
