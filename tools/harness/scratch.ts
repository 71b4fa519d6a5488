import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is removed with everything in it. */
export interface Scratch extends Disposable {
  path: string
  file(name: string): string
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'cotizaciones-'))
}

export function openScratch(): Scratch {
  const path = temporaryFolder()
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
