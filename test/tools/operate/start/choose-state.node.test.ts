import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Mode } from '../../../../shared/board/board.ts'
import { setModeStatement } from '../../../../shared/db/quotes/service-mode.ts'
import { databaseFile } from '../../../../tools/operate/local/storage.ts'
import { openLocal } from '../../../../tools/operate/admin/open-local.ts'
import { runTool } from '../../../../tools/support/process.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'
import { anySourceAnswers, chooseState } from '../../../../tools/operate/start/choose-state.ts'
import { documentAt } from '../../../../tools/operate/demo-market/documents.ts'

const PLAIN = { demo: false, upstream: null, isPlain: true }
const HOSTED = { ...PLAIN, isPlain: false }
const DEMO = { ...PLAIN, demo: true }
const UPSTREAM = { ...PLAIN, upstream: 'http://127.0.0.1:1' }

it.each([
  ['a plain start without a network shows the demo', PLAIN, false, 'demo', '-demo'],
  ['a plain start is live where a source answers', PLAIN, true, 'live', ''],
  ['with --host, --env or --var it is live without a network', HOSTED, false, 'live', ''],
  ['--demo is a demo in the folder that it names', DEMO, true, 'demo', ''],
  ['--upstream is never anything else', UPSTREAM, false, 'upstream', ''],
] as const)('in a fresh folder %s', async (_, options, answers, mode, suffix) => {
  const stateDir = temporaryFolder()
  const { choice, lines } = await choose({ ...options, stateDir }, answers)

  expect(choice).toEqual({ mode, stateDir: `${stateDir}${suffix}` })
  expect(lines).toEqual(
    suffix === '' ? [] : [expect.stringMatching(/^no source answers: .*-demo;/)],
  )
})

it('leaves the folder empty when it shows the demo, so that the next start is live', async () => {
  const stateDir = temporaryFolder()
  await choose({ ...PLAIN, stateDir }, false)
  await stateOf('demo', `${stateDir}-demo`)
  expect((await choose({ ...PLAIN, stateDir }, false)).choice.mode).toBe('demo')
  expect((await choose({ ...PLAIN, stateDir }, true)).choice).toEqual({ mode: 'live', stateDir })

  // A state that an operator's command made is live even without a network.
  await stateOf(null, stateDir)
  expect((await choose({ ...PLAIN, stateDir }, false)).choice).toEqual({ mode: 'live', stateDir })
})

it('refuses the demo beside a folder whose own demo folder holds real values', async () => {
  const stateDir = temporaryFolder()
  await stateOf('live', `${stateDir}-demo`)

  await expect(choose({ ...PLAIN, stateDir }, false)).rejects.toThrow(
    /-demo is a state of mode live and takes no values of mode demo: choose another with --state$/,
  )
})

it('refuses a state of another mode with 1 and one line that names its option, and changes nothing', async () => {
  const stateDir = await stateOf('demo')
  const database = readFileSync(databaseFile(stateDir)!)
  const { code, output } = await runTool('start', ['--state', stateDir, '--port', '0'])

  expect(output).toBe(
    `error: ${stateDir} is a state of mode demo and takes no values of mode live: ` +
      'choose another with --state or start with --demo\n',
  )
  expect(code).toBe(1)
  expect(readFileSync(databaseFile(stateDir)!)).toEqual(database)
  expect(existsSync(join(stateDir, 'local-key'))).toBe(false)
})

it.each([
  ['no host can be reached', async () => Promise.reject(new TypeError('unreachable')), false],
  ['a portal answers in place of all', async () => new Response('<html>'), false],
  ['one host answers as it should', onlyAmbito, true],
] as const)('finds out whether there is a network: %s', async (_, network, expected) => {
  expect(await anySourceAnswers(network as typeof fetch)).toBe(expected)
})

async function choose(options: Parameters<typeof chooseState>[0], answers: boolean) {
  const lines: string[] = []
  const anySourceAnswers = async () => answers
  const choice = await chooseState(options, { anySourceAnswers, warn: (line) => lines.push(line) })
  return { choice, lines }
}

/** A stopped state with this mode, or without one yet. */
async function stateOf(mode: Mode | null, stateDir = temporaryFolder()): Promise<string> {
  await using storage = await openLocal(stateDir)
  if (mode !== null) await setModeStatement(storage.db, mode).run()
  return stateDir
}

async function onlyAmbito(input: string | URL | Request): Promise<Response> {
  const { host, pathname, search } = new URL(input instanceof Request ? input.url : input)
  if (host !== 'mercados.ambito.com') throw new TypeError('unreachable')
  return new Response(documentAt(`/${host}${pathname}${search}`, Date.now()))
}
