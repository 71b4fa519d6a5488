import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { checks } from '../../../../tools/operate/admin/audit.ts'
import { openRemote } from '../../../../tools/operate/admin/open-remote.ts'
import { runAdmin } from '../../../support/admin.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'

const KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`

it('audits a deployed database through wrangler, and says what it cannot check', async () => {
  const { lines, calls } = await audit([])

  expect(lines).toHaveLength(checks.length)
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([
    expect.stringMatching(/^not checked +every sealed field opens.*: give KEY_ENCRYPTION_KEYS or/),
  ])
  // Nothing but queries.
  expect(calls.filter((sql) => !/^\s*(select|with)\b/i.test(sql))).toEqual([])
})

it.each([
  [`SESSION_SECRET=x\nKEY_ENCRYPTION_KEYS="${KEYS}"\n`, null],
  [JSON.stringify({ KEY_ENCRYPTION_KEYS: KEYS }), null],
  ['FILE=x', 'KEY_ENCRYPTION_KEYS is not in the secrets file'],
  ['KEY_ENCRYPTION_KEYS=short', 'KEY_ENCRYPTION_KEYS must be as the service has it'],
])('opens sealed fields with a secrets file of lines or JSON: %j', async (text, refusal) => {
  const file = join(temporaryFolder(), 'secrets')
  writeFileSync(file, text)
  const audited = audit(['--secrets-file', file])
  if (refusal !== null) return expect(audited).rejects.toThrow(refusal)
  expect((await audited).lines).toContainEqual(expect.stringMatching(/^ok +every sealed field/))
})

/** An audit of an empty deployed database, by way of a wrangler that runs the SQL itself. */
async function audit(args: string[]): Promise<{ lines: string[]; calls: string[] }> {
  const sqlite = new DatabaseSync(':memory:')
  for (const file of readdirSync('migrations')
    .filter((name) => name.endsWith('.sql'))
    .toSorted())
    sqlite.exec(readFileSync(join('migrations', file), 'utf8'))

  const calls: string[] = []
  const storage = openRemote('', async (argv) => {
    if (argv[0] === 'kv') throw new Error('no such key')
    const sql = argv.find((arg) => arg.startsWith('--command='))!.slice('--command='.length)
    calls.push(sql)
    return JSON.stringify([{ results: sqlite.prepare(sql).all(), success: true, meta: {} }])
  })
  return { lines: await runAdmin({ ...storage, remote: true }, 'audit', ...args), calls }
}
