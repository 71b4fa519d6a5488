import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  couldBeKey,
  generateKey,
  hashKey,
  inheritedPrefix,
} from '../../../shared/access/api-key.ts'

const SHAPE = /^cot_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/

const base62 = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')

/** Given random bytes for a key: the bytes of its prefix are the first of its secret. */
const keys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => (length: number) => bytes.slice(0, length))

describe('a key', () => {
  it('has the shape of decision 18, its prefix first, and a hash of the whole', async () => {
    await fc.assert(
      fc.asyncProperty(keys, async (random) => {
        const { key, prefix, hash } = await generateKey(random)
        expect(key).toMatch(SHAPE)
        expect(key.startsWith(`${prefix}_`)).toBe(true)
        expect(hash).toBe(await hashKey(key))
        expect(couldBeKey(key)).toBe(true)
      }),
    )
  })

  it('with one character mistyped or two neighbours swapped is refused, wherever', async () => {
    const places = fc.integer({ min: 4, max: 55 })
    await fc.assert(
      fc.asyncProperty(keys, places, fc.option(base62), async (random, at, typo) => {
        const { key } = await generateKey(random)
        const [here, next] = [key.charAt(at), key.charAt(at + 1)]
        const other = typo ?? next
        fc.pre(here !== '_' && !['', '_', here].includes(other))
        const wrong = other + (typo === null ? here : next)
        expect(couldBeKey(key.slice(0, at) + wrong + key.slice(at + 2))).toBe(false)
      }),
    )
  })

  it('is hashed with SHA-256 in lower-case hex', async () => {
    expect(await hashKey('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})

describe('an inherited key', () => {
  it.each(['a', 'cot_viejo', "o'hara--", 'x'.repeat(512)])('may look like %s', (text) =>
    expect(couldBeKey(text)).toBe(true),
  )

  it.each(['', 'a,b', 'a\tb', 'a\n', 'clavé', 'x'.repeat(513)])('cannot look like %j', (text) =>
    expect(couldBeKey(text)).toBe(false),
  )

  it('shows at most a third of itself', () => {
    expect(inheritedPrefix('0123456789abcdefghijklmnopqrstuv')).toBe('01234567')
    expect(inheritedPrefix('abcdef')).toBe('ab')
    expect(inheritedPrefix('a')).toBe('')
  })
})
