import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient } from '../../tools/maintain/client/build.ts'
import { packClient } from '../../tools/maintain/client/check.ts'
import { openScratch } from '../../tools/support/scratch.ts'

export type PackedClient = Awaited<ReturnType<typeof installPackedClient>>

/** The client's package as a user gets it: built, packed, and unpacked in a project. */
export async function installPackedClient() {
  const { path, file, ...scratch } = openScratch()
  /** The folder that was packed. */
  const staged = file('staged')
  await buildClient(staged)
  const tarball = packClient(staged, path)

  /** A project that has only the package installed. */
  const project = file('project')
  const modules = join(project, 'node_modules')
  mkdirSync(modules, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', modules])
  renameSync(join(modules, 'package'), join(modules, 'cotizaciones'))
  return { project, staged, tarball, ...scratch }
}
