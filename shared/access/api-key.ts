/**
 * API keys: `cot_<8>_<43>`, all base62 (decision 18: prefix, random, checksum). The first part is
 * public and shown in lists. The second part has 37 random characters (220 bits) and a checksum of
 * 6 characters over the rest, so that a mistyped key is refused without a database read. Keys
 * imported from the predecessor have any format.
 */
import { toHex } from '../encoding.ts'
import type { RandomBytes } from '../crypto/random.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 37
const CHECKSUM_LENGTH = 6

/** Texts that begin like our keys must also have a valid checksum. */
const OURS = /^cot_[0-9A-Za-z]{8}_/
const WELL_FORMED = /^cot_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/

/** Visible ASCII without the comma, because a comma separates several values of a header. */
const PRESENTABLE = /^[!-+\--~]{1,512}$/

export interface NewKey {
  /** The secret: shown once, stored nowhere. */
  key: string
  /** `cot_` and the public part. */
  prefix: string
  /** The database stores this, not the key. */
  hash: string
}

/** A new key from 40 random bytes: 32 for the secret part, 8 for the public part. */
export async function generateKey(random: RandomBytes): Promise<NewKey> {
  const secret = base62(random(32), RANDOM_LENGTH)
  const prefix = `cot_${base62(random(8), 8)}`
  const body = `${prefix}_${secret}`
  const key = body + checksum(body)

  return { key, prefix, hash: await hashKey(key) }
}

/** SHA-256 in lower-case hex. Keys are random, so a plain hash cannot be reversed by search. */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return toHex(new Uint8Array(digest))
}

/** Whether a text may be a key: our format with its checksum, or a possible imported key. */
export function couldBeKey(text: string): boolean {
  if (!PRESENTABLE.test(text)) return false
  if (!OURS.test(text)) return true
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return WELL_FORMED.test(text) && text === body + checksum(body)
}

/** The part of an inherited key that lists show: its first characters, at most a third. */
export function inheritedPrefix(key: string): string {
  return key.slice(0, Math.min(8, Math.floor(key.length / 3)))
}

/**
 * CRC-32, which catches every single wrong character and every swap of two neighbours (bursts of
 * at most 16 bits). Six base62 digits hold its 32 bits.
 */
function checksum(text: string): string {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return digits(BigInt(~crc >>> 0), CHECKSUM_LENGTH)
}

/** The last `length` digits of the bytes as a number. With so many bytes, no digit is likelier. */
function base62(bytes: Uint8Array, length: number): string {
  return digits(BigInt(`0x${toHex(bytes)}`), length)
}

function digits(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n)
    text = ALPHABET[Number(rest % 62n)] + text
  return text
}

/** A key's name as stored, or null when it is not 1 to 60 characters without control codes. */
export function normalizeKeyName(text: string): string | null {
  const name = text.normalize('NFC').trim()
  return name.length >= 1 && name.length <= 60 && !/\p{C}/u.test(name) ? name : null
}
