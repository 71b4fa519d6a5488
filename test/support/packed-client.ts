import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClient } from '../../tools/maintain/client/build.ts'
import { packClient } from '../../tools/maintain/client/check.ts'

export interface PackedClient extends Disposable {
  /** A project that has only the package installed. */
  project: string
  /** The folder that was packed. */
  staged: string
  tarball: string
}

/** The client's package as a user gets it: built, packed, and unpacked in a project. */
export async function installPackedClient(): Promise<PackedClient> {
  const folder = mkdtempSync(join(tmpdir(), 'cotizaciones-client-'))
  const staged = join(folder, 'staged')
  await buildClient(staged)
  const tarball = packClient(staged, folder)

  const project = join(folder, 'project')
  const modules = join(project, 'node_modules')
  mkdirSync(modules, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', modules])
  renameSync(join(modules, 'package'), join(modules, 'cotizaciones'))
  return {
    project,
    staged,
    tarball,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
