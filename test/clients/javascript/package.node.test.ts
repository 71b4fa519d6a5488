import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientProblems } from '../../../tools/maintain/client/check.ts'
import { SITE_COPY, siteClient } from '../../../tools/maintain/client/build.ts'
import { installPackedClient, type PackedClient } from '../../support/packed-client.ts'

const manifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>

describe('the package of the client', () => {
  let packed: PackedClient
  beforeAll(async () => {
    packed = await installPackedClient()
  })
  afterAll(() => packed[Symbol.dispose]())

  it('has no fault that publint or arethetypeswrong finds, and is small', async () => {
    expect(await clientProblems(packed.staged, packed.tarball)).toEqual([])
  })

  it('gives the same by import and by require', () => {
    writeFileSync(
      join(packed.project, 'both.mjs'),
      `import { createRequire } from 'node:module'
       import * as imported from 'cotizaciones'
       const required = createRequire(import.meta.url)('cotizaciones')
       console.log(JSON.stringify([Object.keys(imported), Object.keys(required)]))`,
    )
    const both = execFileSync(process.execPath, ['both.mjs'], { cwd: packed.project })
    const [imported, required] = JSON.parse(String(both)) as string[][]
    expect(imported!.toSorted()).toEqual([
      'ApiError',
      'createClient',
      'standardSecret',
      'verifyWebhook',
    ])
    expect(required!.toSorted()).toEqual(imported!.toSorted())
  })

  it('types what a project writes, with no other types around', () => {
    writeFileSync(
      join(packed.project, 'use.ts'),
      `import { createClient, type Quote } from 'cotizaciones'
       const client = createClient({ baseUrl: 'https://cotizaciones.test' })
       export const quotes: Promise<Quote[]> = client.quotes()
       // @ts-expect-error: no such currency
       void client.quote('xyz', 'blue')
       export async function first() {
         for await (const { sell } of client.stream()) return sell
       }`,
    )
    const tsc = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
    const options = '--noEmit --strict --module nodenext --target es2022 --lib es2022,dom --types'
    const run = () =>
      execFileSync(process.execPath, [tsc, ...options.split(' '), '', 'use.ts'], {
        cwd: packed.project,
        encoding: 'utf8',
        stdio: 'pipe',
      })
    expect(run()).toBe('')
  })

  it('names the licences of what is bundled in it', () => {
    const licence = readFileSync(join(packed.staged, 'LICENSE'), 'utf8')
    expect(licence).toContain('The Cotizaciones authors')
    expect(licence).toContain('Espen Hovlandsdal')
  })
})

it('has the version of the service', () => {
  expect(manifest('clients/javascript/package.json').version).toBe(manifest('package.json').version)
})

it('is what the site loads (npm run client -- site writes it)', async () => {
  expect(readFileSync(SITE_COPY, 'utf8') === (await siteClient())).toBe(true)
})
