import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import ofClient from '../../../clients/javascript/package.json' with { type: 'json' }
import ofService from '../../../package.json' with { type: 'json' }
import { clientProblems } from '../../../tools/maintain/client/check.ts'
import { installPackedClient, type PackedClient } from '../../support/packed-client.ts'

describe('the package of the client', () => {
  let packed: PackedClient
  beforeAll(async () => {
    packed = await installPackedClient()
  })
  afterAll(() => packed[Symbol.dispose]())

  it('has no fault that publint or arethetypeswrong finds, and is small', async () => {
    expect(await clientProblems(packed.staged, packed.tarball)).toEqual([])
  })

  /** The output of Node for a file in the project. */
  function run(file: string, text: string, ...before: string[]): string {
    writeFileSync(join(packed.project, file), text)
    const options = { cwd: packed.project, encoding: 'utf8' } as const
    return execFileSync(process.execPath, [...before, file], options)
  }

  it('gives the same by import and by require', () => {
    const both = run(
      'both.mjs',
      `import { createRequire } from 'node:module'
       import * as imported from 'cotizaciones'
       const required = createRequire(import.meta.url)('cotizaciones')
       console.log(JSON.stringify([imported, required].map((all) => Object.keys(all).toSorted())))`,
    )
    const [imported, required] = JSON.parse(both) as string[][]
    expect(imported).toContain('createClient')
    expect(required).toEqual(imported)
  })

  it('types what a project writes, with no other types around', () => {
    const tsc = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
    const options = '--noEmit --strict --module nodenext --target es2022 --lib es2022,dom --types'
    const printed = run(
      'use.ts',
      `import { createClient, type Quote } from 'cotizaciones'
       const client = createClient({ baseUrl: 'https://cotizaciones.test' })
       export const quotes: Promise<Quote[]> = client.quotes()
       // @ts-expect-error: no such currency
       void client.quote('xyz', 'blue')
       export async function first() {
         for await (const { sell } of client.stream()) return sell
       }`,
      tsc,
      ...options.split(' '),
      '',
    )
    expect(printed).toBe('')
  })

  it('names the licences of what is bundled in it', () => {
    const licence = readFileSync(join(packed.staged, 'LICENSE'), 'utf8')
    expect(licence).toContain('The Cotizaciones authors')
    expect(licence).toContain('Espen Hovlandsdal')
  })
})

it('has the version of the service', () => {
  expect(ofClient.version).toBe(ofService.version)
})
