/** Keys: fields open only with the keys that sealed them, and other keys are refused loudly. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { openLocal } from '../../../../tools/operate/admin/open-local.ts'
import { localSecrets, secretsFile } from '../../../../tools/operate/local/secrets.ts'
import { runTool } from '../../../../tools/support/process.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'
import { runAdmin } from '../../../support/admin.ts'

const keyOf = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString('base64')}`
const [OLD, NEW] = [keyOf('k1', 1), keyOf('k2', 2)]

let stateDir: string
let admin: (...words: string[]) => Promise<string[]>

/** A state with one webhook, sealed with a key that only the environment has. */
beforeEach(async () => {
  const scratch = openScratch()
  stateDir = scratch.path
  const storage = await openLocal(stateDir)
  onTestFinished(async () => {
    await storage[Symbol.asyncDispose]()
    scratch[Symbol.dispose]()
  })
  admin = (...words) => runAdmin({ ...storage, stateDir }, ...words)
  const webhook = { id: 1, type: 'USD_BLUE', method: 'POST', url: 'https://a.example.com/x' }
  const accounts = [{ email: 'ana@example.com', keys: [], webhooks: [webhook] }]
  writeFileSync(scratch.file('v1.json'), JSON.stringify({ accounts }))
  vi.stubEnv('KEY_ENCRYPTION_KEYS', OLD)
  await admin('import-v1', scratch.file('v1.json'))
})

it('the old key can be removed once everything is sealed with the new key, and not before', async () => {
  vi.stubEnv('KEY_ENCRYPTION_KEYS', NEW)
  await expect(admin('reseal')).rejects.toThrow('do not open what key k1 sealed')
  vi.stubEnv('KEY_ENCRYPTION_KEYS', `${NEW},${OLD}`)
  expect(await admin('reseal')).toEqual(['webhooks: 1 resealed, 0 current already, 0 unreadable'])
  vi.stubEnv('KEY_ENCRYPTION_KEYS', NEW)
  expect(await admin('reseal')).toEqual(['webhooks: 0 resealed, 1 current already, 0 unreadable'])
  vi.stubEnv('KEY_ENCRYPTION_KEYS', OLD)
  await expect(admin('reseal')).rejects.toThrow('do not open what key k2 sealed')
})

it.each(['reseal', 'audit'])('%s refuses another key of the same name', async (command) => {
  vi.stubEnv('KEY_ENCRYPTION_KEYS', keyOf('k1', 3))
  await expect(admin(command)).rejects.toThrow('do not open what key k1 sealed')
})

it('no start and no command makes new keys until the operator gives up the fields that the old keys sealed', async () => {
  vi.stubEnv('KEY_ENCRYPTION_KEYS', undefined)
  const { SESSION_SECRET } = JSON.parse(readFileSync(secretsFile(stateDir), 'utf8'))
  expect(localSecrets(stateDir, { KEY_ENCRYPTION_KEYS: OLD })).toEqual({ SESSION_SECRET })
  rmSync(secretsFile(stateDir))
  const refusal = `${secretsFile(stateDir)} has no KEY_ENCRYPTION_KEYS, and the database has`
  await expect(admin('reseal')).rejects.toThrow(refusal)
  const start = await runTool('start', ['--state', stateDir, '--port', '0', '--demo'])
  expect(start).toMatchObject({ code: 1, output: expect.stringContaining(`error: ${refusal}`) })

  expect(await admin('reseal', '--lost')).toEqual([
    'webhooks: 0 resealed, 0 current already, 1 unreadable',
  ])
  await expect(admin('reseal')).rejects.toThrow('no key opens the unreadable webhooks')
  expect(localSecrets(stateDir).KEY_ENCRYPTION_KEYS).toMatch(/^k1:/)
})
