import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openScratch } from '../../support/scratch.ts'
import { buildClient } from './build.ts'

/** The copy of the client that the pages load. It is committed, and a test keeps it current. */
export const SITE_COPY = join(
  import.meta.dirname,
  '../../../workers/site/public/static/cotizaciones.js',
)

/** The bytes that the copy must have. */
export async function siteClient(): Promise<string> {
  using scratch = openScratch()
  await buildClient(scratch.path)
  return readFileSync(scratch.file('dist/index.js'), 'utf8')
}

/** Writes the copy anew; its path. */
export async function writeSiteClient(): Promise<string> {
  writeFileSync(SITE_COPY, await siteClient())
  return SITE_COPY
}
