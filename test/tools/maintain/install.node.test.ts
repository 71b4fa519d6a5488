import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openScratch } from '../../../tools/support/scratch.ts'

const SCRIPT = join(import.meta.dirname, '../../../tools/maintain/install.mjs')

const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'thing' },
    'node_modules/hono': { version: '4.0.0', integrity: 'sha512-aa==' },
    'node_modules/a/node_modules/@b/c': { version: '1.2.3', integrity: 'sha512-bb==' },
    [`node_modules/here`]: {
      version: '1.0.0',
      optional: true,
      os: [process.platform],
      cpu: [process.arch],
    },
    'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['pdp11'] },
    'node_modules/node-here': { version: '24.0.0', optional: true, bin: { node: 'bin/node' } },
  },
}

/**
 * In npm's place: notes its words, folder and lock, then does what `DOES` lists for each call:
 * "refuse", or which packages it leaves out.
 */
const NPM = `#!/usr/bin/env node
const fs = require('node:fs')
const log = process.env.LOG
const calls = fs.existsSync(log) ? JSON.parse(fs.readFileSync(log, 'utf8')) : []
const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
calls.push({ words: process.argv.slice(2), folder: process.cwd(), lock })
fs.writeFileSync(log, JSON.stringify(calls))
const does = process.env.DOES.split(' ')[calls.length - 1]
if (does === 'refuse') process.exit(1)
fs.mkdirSync('node_modules/.bin', { recursive: true })
for (const path in lock.packages) if (path === '' || path.endsWith(does) || path.endsWith('elsewhere')) delete lock.packages[path]
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock))
if (does !== 'node-here') {
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
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, '.npmrc'), '')
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK))
})

interface Call {
  words: string[]
  folder: string
  lock: { packages: Record<string, { resolved?: string; integrity?: string }> }
}

function install(...does: string[]) {
  return installWith({}, ...does)
}

function installWith(more: NodeJS.ProcessEnv, ...does: string[]) {
  const log = join(folder, 'calls.json')
  const path = `${join(folder, 'programs')}:${process.env['PATH']}`
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, LOG: log, DOES: does.join(' '), ...more },
  })
  const calls = existsSync(log) ? (JSON.parse(readFileSync(log, 'utf8')) as Call[]) : []
  return { status, stderr, calls }
}

it('installs once, with an address and the checksum for each package, and with no script', () => {
  const [call] = install('all').calls
  const { 'node_modules/hono': hono, 'node_modules/a/node_modules/@b/c': scoped } =
    call!.lock.packages
  expect(hono).toMatchObject({
    integrity: 'sha512-aa==',
    resolved: 'https://registry.invalid/hono/-/hono-4.0.0.tgz',
  })
  expect(scoped!.resolved).toBe('https://registry.invalid/@b/c/-/c-1.2.3.tgz')
  expect(call!.words).toEqual(
    expect.arrayContaining(['ci', '--ignore-scripts', '--replace-registry-host=always']),
  )
  expect(readlinkSync(join(folder, 'node_modules/.bin/node'))).toBe('../node-here/bin/node')
  expect(install('all', 'all')).toMatchObject({ status: 0, stderr: '', calls: { length: 1 } })
})

it('lets npm ask for the addresses where they are others, and leaves nothing beside', () => {
  const { status, calls } = install('refuse', 'all')
  expect(status).toBe(0)
  expect(calls[1]!.folder).toBe(folder)
  expect(calls[1]!.lock).toEqual(LOCK)
  expect(readdirSync(folder).filter((name) => name.startsWith('.install'))).toEqual([])
})

it('keeps the packages that are there when npm refuses', () => {
  mkdirSync(join(folder, 'node_modules/old'), { recursive: true })
  expect(install('refuse', 'refuse').status).toBe(1)
  expect(existsSync(join(folder, 'node_modules/old'))).toBe(true)
})

/** What the system says of moving a folder that is a mounted volume, or of moving one there. */
const MOUNTED = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { renameSync } = fs
  fs.renameSync = (from, to) => {
    if (from !== 'node_modules' && to !== 'node_modules') return renameSync(from, to)
    throw new Error('EBUSY')
  }
  syncBuiltinESMExports()`
const mounted = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(MOUNTED)}` }

it('installs in place where node_modules is a mounted volume', () => {
  mkdirSync(join(folder, 'node_modules'))
  const { status, calls } = installWith(mounted, 'all', 'all')
  expect(status).toBe(0)
  expect(calls[1]!.folder).toBe(folder)
})

it('installs another version of the lock, also over an install that was interrupted', () => {
  install('all')
  const changed = structuredClone(LOCK)
  changed.packages['node_modules/hono'].version = '4.0.1'
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(changed))
  rmSync(join(folder, 'node_modules/.bin'), { recursive: true })
  expect(install('all', 'all')).toMatchObject({
    status: 0,
    stderr: 'installing the locked dependencies…\n',
  })
})

it('clears away what an install that was interrupted left, and not that of one that runs', () => {
  const ago = Date.now() / 1000 - 2 * 60 * 60
  for (const name of ['.install-old', '.install-running'])
    mkdirSync(join(folder, name, 'node_modules'), { recursive: true })
  utimesSync(join(folder, '.install-old'), ago, ago)
  install('all')
  expect(readdirSync(folder).filter((name) => name.startsWith('.install'))).toEqual([
    '.install-running',
  ])
})

it.each(['hono', 'here'])('fails when npm left out %s, which this system needs', (name) => {
  const { status, stderr } = install(name)
  expect(status).toBe(1)
  expect(stderr).toContain('error: npm left packages out')
})

it('is content with a new Node of the system where there is no locked one for it', () => {
  expect(install('node-here')).toMatchObject({ status: 0, calls: { length: 1 } })
})
