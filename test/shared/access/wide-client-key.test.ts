import { expect, it } from 'vitest'
import { clientKey } from '../../../shared/access/client-key.ts'
import { wideClientKey } from '../../../shared/access/wide-client-key.ts'

it.each([
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::3', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['192.0.2.7', null],
  ['::ffff:192.0.2.7', null],
  ['nonsense', null],
])('the wider client of %s is %s', (address, wide) => {
  expect(wideClientKey(clientKey(address))).toBe(wide)
})
