import { readFileSync } from 'node:fs'
import { type LockedPackage, nameOf } from '../../tools/maintain/supply-chain/lock.ts'

/** What package.json says that matters here. */
export interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  overrides: Record<string, string>
  /** Each package that has an install script, and whether it may run: none may. */
  allowScripts: Record<string, boolean>
}

export function readManifest(path = 'package.json'): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest
}

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/

/** Dependencies whose version is a range or a tag: an install could bring what nobody tried. */
export function inexactVersions(manifest: Manifest): string[] {
  const { dependencies, devDependencies, optionalDependencies, overrides } = manifest
  return [dependencies, devDependencies, optionalDependencies, overrides].flatMap((group) =>
    Object.entries(group).flatMap(([name, version]) =>
      EXACT.test(version) ? [] : [`${name}@${version}`],
    ),
  )
}

/** Packages with an install script on which `allowScripts` says neither yes nor no. */
export function unreviewedScripts(
  lock: ReadonlyMap<string, LockedPackage>,
  { allowScripts }: Manifest,
): string[] {
  return [...lock]
    .filter(
      ([folder, { hasInstallScript }]) => hasInstallScript && !(nameOf(folder) in allowScripts),
    )
    .map(([folder]) => folder)
}

/** Names in `allowScripts` that no locked package with an install script has any more. */
export function staleScripts(
  lock: ReadonlyMap<string, LockedPackage>,
  { allowScripts }: Manifest,
): string[] {
  const withScript = new Set(
    [...lock]
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([folder]) => nameOf(folder)),
  )
  return Object.keys(allowScripts).filter((name) => !withScript.has(name))
}

/** Locked packages without a checksum: what is downloaded for them could be anything. */
export function withoutChecksum(lock: ReadonlyMap<string, LockedPackage>): string[] {
  return [...lock].filter(([, { integrity }]) => !integrity).map(([folder]) => folder)
}
