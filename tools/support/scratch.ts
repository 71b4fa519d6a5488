import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'cotizaciones-'))
}

/** A temporary folder, which its disposal removes with everything in it. */
export function openScratch() {
  const path = temporaryFolder()
  return {
    path,
    file: (name: string) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
