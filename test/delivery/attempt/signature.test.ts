import { expect, it } from 'vitest'
import { sign } from '../../../workers/delivery/attempt/signature.ts'

const secret = '0123456789abcdef'.repeat(4)

it.each([
  [
    '{"event":"rate.updated","currency":"USD","origin":"BLUE"}',
    'sha256=aebc96b0be415490cee704532d25058e9aa063e49d0a22f950042ca3f44d1be4',
  ],
  [
    '{"name":"Dólar ñandú €"}',
    'sha256=d94ed119f4845441db48a700ddc69bae8db3d3dfe321a61fb495ab58a33dfef6',
  ],
])('signs %s with the secret as text over timestamp.body', async (body, signature) => {
  expect(await sign(secret, 1_700_000_000, body)).toBe(signature)
})

it('signs every attempt anew', async () => {
  expect(await sign(secret, 1_700_000_000, '{}')).not.toBe(await sign(secret, 1_700_000_001, '{}'))
})
