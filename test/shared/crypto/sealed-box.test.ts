import { expect, it } from 'vitest'
import { toBase64url } from '../../../shared/encoding.ts'
import { openKeyring, seal, unseal } from '../../../shared/crypto/sealed-box.ts'

const place = { table: 'subscriptions', column: 'url', id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427' }
const text = 'https://ñandú.example/hook?clave=secreta'
const first = `k1:${btoa('a'.repeat(32))}`

it('a field is never sealed twice to the same text, and shows none of its content', async () => {
  const sealed = await Promise.all([1, 2, 3].map(() => seal(openKeyring(first), place, text)))

  expect(new Set(sealed).size).toBe(3)
  for (const one of sealed)
    expect(atob(one.split('.')[3]!.replace(/[-_]/g, '+'))).not.toContain('example')
})

it.each([
  ['another row', { ...place, id: '1b4e28ba-2fa1-41d2-883f-0016d3cca428' }],
  ['another column', { ...place, column: 'secret' }],
  ['another table', { ...place, table: 'deliveries' }],
])('a sealed field does not open when it is moved to %s', async (_, moved) => {
  const keyring = openKeyring(first)
  const sealed = await seal(keyring, place, text)

  expect(await unseal(keyring, moved, sealed)).toEqual({ ok: false, refusal: 'damaged' })
})

it('a sealed field does not open when any of its bytes is changed', async () => {
  const keyring = openKeyring(first)
  const [version, kid, nonce, ciphertext] = (await seal(keyring, place, 'abc')).split('.')
  const bytes = Uint8Array.from(atob(ciphertext!.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
    c.charCodeAt(0),
  )
  for (const index of bytes.keys()) {
    const tampered = bytes.with(index, bytes[index]! ^ 1)
    const sealed = [version, kid, nonce, toBase64url(tampered)].join('.')
    expect(await unseal(keyring, place, sealed)).toEqual({ ok: false, refusal: 'damaged' })
  }
})

it.each(['', 'v1', 'v2.k1.AAAAAAAAAAAAAAAA.AAAA', 'v1.k1..', 'v1.k1.AAAA.AAAA', 'v1.k1.%.%'])(
  'no field opens from "%s"',
  async (sealed) => {
    expect(await unseal(openKeyring(first), place, sealed)).toMatchObject({ refusal: 'damaged' })
  },
)
