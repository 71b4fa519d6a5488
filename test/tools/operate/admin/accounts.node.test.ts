import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { admin } from '../../../../tools/prove/harness/service.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'
import { openOperator } from '../../../support/operator.ts'

const EMAIL = 'ana@ejemplo.com.ar'

it('accounts and keys live through the commands of one state folder', async () => {
  const state = temporaryFolder()
  {
    await using operator = await openOperator(state)
    await operator.admin('account', 'create', EMAIL)
  }
  // The key is all that a process of its own writes to standard output.
  const created = await admin(['key', 'create', EMAIL, 'mi clave', '--state', state])
  expect(created.stdout).toMatch(/^cot_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}\n$/)

  const file = join(state, 'v1.json')
  const keys = [{ name: 'vieja', key: 'v1-7f3a0011', createdAt: '2024-05-01' }]
  writeFileSync(file, JSON.stringify({ accounts: [{ email: EMAIL, keys }] }))
  await using operator = await openOperator(state)
  expect(await operator.admin('import-v1', file)).toContain('keys: 1 imported, 0 known')
  expect((await operator.admin('key', 'list', EMAIL)).split('\n')).toEqual([
    'v1-  vieja  made 2024-04-30  never used  inherited',
    expect.stringContaining(`${created.stdout.slice(0, 12)}  mi clave  made `),
    '',
  ])

  await expect(operator.admin('key', 'list', 'x@y.z')).rejects.toThrow(
    "no account x@y.z: make it with 'account create'",
  )
})
