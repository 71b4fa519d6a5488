import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startService } from '../../../tools/harness/service.ts'

/** The file of the local D1, as the operator's commands open it beside the service. */
function databaseFile(stateDir: string): string {
  const folder = join(stateDir, 'storage/d1/miniflare-D1DatabaseObject')
  const name = readdirSync(folder).find((file) => /^[0-9a-f]{64}\.sqlite$/.test(file))
  return join(folder, name!)
}

it('a command that holds the lock beside the service costs no request', async () => {
  await using service = await startService(['--demo'])
  const key = readFileSync(join(service.stateDir, 'local-key'), 'utf8').trim()
  const paths = ['/api/v2/auth/check', '/api/v2/usd/blue/history', '/cuenta/enlace?token=x']
  using database = new DatabaseSync(databaseFile(service.stateDir), { timeout: 5000 })
  const statuses: number[] = []

  for (let round = 0; round < 3; round++) {
    database.exec('begin immediate')
    database.exec('update private_budget set day = day')
    const asked = paths.map(async (path) => {
      const { status } = await service.get(path, { headers: { 'x-api-key': key } })
      statuses.push(status)
    })
    await sleep(500)
    database.exec('commit')
    await Promise.all(asked)
  }
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 200, 410, 410, 410])
}, 120_000)
