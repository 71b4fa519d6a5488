import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { currentBuild, hashOfFiles } from '../../../../tools/operate/start/build.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cotizaciones-build-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'workers/edge'), { recursive: true })
  writeFileSync(join(root, 'workers/edge/worker.ts'), 'one')
  writeFileSync(join(root, 'workers/local.ts'), 'two')
  writeFileSync(join(root, 'wrangler.toml'), 'three')
})

const hash = () => hashOfFiles(root, ['workers', 'wrangler.toml'])
const write = (path: string, text: string) => writeFileSync(join(root, path), text)

it.each<[string, () => void]>([
  ['a file of a folder says something else', () => write('workers/edge/worker.ts', 'four')],
  ['the configuration says something else', () => write('wrangler.toml', 'four')],
  ['there is a new file', () => write('workers/edge/new.ts', '')],
  ['a file is gone', () => rmSync(join(root, 'workers/local.ts'))],
  [
    'a file has another name',
    () => renameSync(join(root, 'workers/local.ts'), join(root, 'workers/other.ts')),
  ],
])('a build is made anew when %s', (_, change) => {
  const before = hash()
  expect(hash()).toBe(before)
  change()
  expect(hash()).not.toBe(before)
})

it('what was built once is taken again, by starts at the same time too', async () => {
  const builds = await Promise.all([currentBuild(), currentBuild()])
  expect(builds[0]).toEqual(builds[1])
  expect(builds[0].modules[0]!.path).toMatch(/local\.js$/)
  expect(builds[0].options.bindings).toMatchObject({ WEBHOOK_ADMISSION: 'closed' })

  expect((await currentBuild()).folder).toBe(builds[0].folder)
})
