import { readFileSync } from 'node:fs'

export interface LockedPackage {
  version: string
  integrity?: string
  license?: string
  /** Only for developing; nothing of it is deployed. */
  dev?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Every locked package by its folder, `node_modules/hono`. */
export function readLock(path = 'package-lock.json'): Map<string, LockedPackage> {
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return new Map(Object.entries(packages).filter(([folder]) => folder !== ''))
}

/** `@scope/name` of `node_modules/a/node_modules/@scope/name`. */
function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

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

/** Licences, by their SPDX names, that only ask for attribution. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'CC0-1.0',
  // Asks for the source of its own files, which we use unchanged.
  'MPL-2.0',
])

/** Miniflare's pictures, which nothing here draws: the image leaves them out. */
const UNUSED = /(^|\/)node_modules\/(@img\/|sharp$)/

/** Production packages whose licence is not allowed, with variants for other systems. */
export function refusedLicences(lock: ReadonlyMap<string, LockedPackage>): string[] {
  return [...lock]
    .filter(([folder, { dev }]) => !dev && !UNUSED.test(folder))
    .filter(([, { license = '' }]) => !isAllowed(license))
    .map(([folder, { license }]) => `${folder}: ${license}`)
}

/** An SPDX expression of names joined by OR, each perhaps by AND: enough for what npm holds. */
export function isAllowed(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => ALLOWED.has(name.trim())))
}
