import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openScratch } from '../../../tools/support/scratch.ts'

const SCRIPT = join(import.meta.dirname, '../../../tools/maintain/install.mjs')

const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'thing' },
    'node_modules/hono': { version: '4.0.0', integrity: 'sha512-aa==' },
    'node_modules/here': {
      version: '1.0.0',
      optional: true,
      os: [process.platform],
      cpu: [process.arch],
    },
    'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['pdp11'] },
    'node_modules/node-here': { version: '24.0.0', optional: true, bin: { node: 'bin/node' } },
  },
}

/** A stub of npm: notes its arguments, then fails, or installs all but `LEAVES_OUT`. */
const NPM = `#!/usr/bin/env node
const fs = require('node:fs')
fs.appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
const { LEAVES_OUT } = process.env
if (LEAVES_OUT === 'all') process.exit(1)
const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
for (const path in lock.packages)
  if (path === '' || path.endsWith(LEAVES_OUT) || path.endsWith('elsewhere')) delete lock.packages[path]
fs.mkdirSync('node_modules/.bin', { recursive: true })
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock))
if (LEAVES_OUT !== 'node-here') {
  fs.mkdirSync('node_modules/node-here/bin', { recursive: true })
  fs.writeFileSync('node_modules/node-here/bin/node', '')
}
`

let folder: string

beforeEach(() => {
  const scratch = openScratch()
  onTestFinished(() => scratch[Symbol.dispose]())
  folder = scratch.path
  mkdirSync(join(folder, 'programs'))
  writeFileSync(join(folder, 'programs/npm'), NPM, { mode: 0o755 })
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK))
})

function install(leavesOut = 'nothing') {
  const path = `${join(folder, 'programs')}:${process.env['PATH']}`
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, LEAVES_OUT: leavesOut },
  })
  return { status, stderr, calls: readFileSync(join(folder, 'calls'), 'utf8') }
}

const ONCE = 'ci --ignore-scripts --loglevel=error\n'

it('installs once, without running scripts of packages, and links the locked Node', () => {
  expect(install()).toMatchObject({ status: 0, calls: ONCE })
  expect(readlinkSync(join(folder, 'node_modules/.bin/node'))).toBe('../node-here/bin/node')
  expect(install()).toEqual({ status: 0, stderr: '', calls: ONCE })
})

it('installs another version of the lock file, also after an interrupted installation', () => {
  install()
  const changed = structuredClone(LOCK)
  changed.packages['node_modules/hono'].version = '4.0.1'
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(changed))
  expect(install()).toMatchObject({ status: 0, calls: ONCE.repeat(2) })
  rmSync(join(folder, 'node_modules/.bin'), { recursive: true })
  expect(install()).toMatchObject({ status: 0, calls: ONCE.repeat(3) })
})

it.each([
  ['all', ''],
  ['hono', 'error: npm left packages out'],
  ['here', 'error: npm left packages out'],
])('fails when npm left out %s, which this system needs', (name, problem) => {
  const { status, stderr } = install(name)
  expect(status).toBe(1)
  expect(stderr).toContain(problem)
})

it('installs once for two concurrent first starts, and despite the lock of a killed installation', async () => {
  const path = `${join(folder, 'programs')}:${process.env['PATH']}`
  const env = { ...process.env, PATH: path, LEAVES_OUT: 'nothing' }
  const starts = [1, 2].map(() => spawn(process.execPath, [SCRIPT], { cwd: folder, env }))
  const codes = await Promise.all(starts.map(async (start) => (await once(start, 'exit'))[0]))
  expect(codes).toEqual([0, 0])
  expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe(ONCE)
  expect(existsSync(join(folder, '.install-lock'))).toBe(false)

  rmSync(join(folder, 'node_modules'), { recursive: true })
  writeFileSync(join(folder, '.install-lock'), String(2 ** 22 + 1))
  expect(install()).toMatchObject({ status: 0, calls: ONCE.repeat(2) })
})

it('uses the system’s Node if it is new enough and none is locked for the system', () => {
  expect(install('node-here')).toMatchObject({ status: 0, calls: ONCE })
})
