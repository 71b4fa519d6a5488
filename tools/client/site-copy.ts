import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClient } from './build.ts'

/** The copy of the client that the pages load. It is committed, and a test keeps it current. */
export const SITE_COPY = join(
  import.meta.dirname,
  '../../workers/site/public/static/cotizaciones.js',
)

/** The bytes that the copy must have. */
export async function siteClient(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cotizaciones-client-'))
  try {
    await buildClient(folder)
    return readFileSync(join(folder, 'dist/index.js'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Writes the copy anew; its path. */
export async function writeSiteClient(): Promise<string> {
  writeFileSync(SITE_COPY, await siteClient())
  return SITE_COPY
}
