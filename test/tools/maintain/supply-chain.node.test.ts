import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
interface LockedPackage {
  version: string
  integrity?: string
  license?: string
  /** Only for developing; nothing of it is deployed. */
  dev?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** `@scope/name` of `node_modules/a/node_modules/@scope/name`. */
function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** What package.json says that matters here. */
interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  overrides: Record<string, string>
  /** Each package that has an install script, and whether it may run: none may. */
  allowScripts: Record<string, boolean>
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>
}
/** Every locked package by its folder, `node_modules/hono`. */
const lock = new Map(Object.entries(packages).filter(([folder]) => folder !== ''))

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/

/** Dependencies whose version is a range or a tag: an install could bring what nobody tried. */
function inexactVersions(manifest: Manifest): string[] {
  const { dependencies, devDependencies, optionalDependencies, overrides } = manifest
  return [dependencies, devDependencies, optionalDependencies, overrides].flatMap((group) =>
    Object.entries(group).flatMap(([name, version]) =>
      EXACT.test(version) ? [] : [`${name}@${version}`],
    ),
  )
}

/** Packages with an install script on which `allowScripts` says neither yes nor no. */
function unreviewedScripts(lock: ReadonlyMap<string, LockedPackage>): string[] {
  return [...lock]
    .filter(
      ([folder, { hasInstallScript }]) =>
        hasInstallScript && !(nameOf(folder) in manifest.allowScripts),
    )
    .map(([folder]) => folder)
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
function refusedLicences(lock: ReadonlyMap<string, LockedPackage>): string[] {
  return [...lock]
    .filter(([folder, { dev }]) => !dev && !UNUSED.test(folder))
    .filter(([, { license = '' }]) => !isAllowed(license))
    .map(([folder, { license }]) => `${folder}: ${license}`)
}

/** An SPDX expression of names joined by OR, each perhaps by AND: enough for what npm holds. */
function isAllowed(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => ALLOWED.has(name.trim())))
}

describe('what we depend on', () => {
  it('is named with exact versions', () => {
    expect(inexactVersions(manifest)).toEqual([])
  })

  it('runs no script at installation, and those that it has were looked at', () => {
    expect(unreviewedScripts(lock)).toEqual([])
    const withScript = [...lock].filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = withScript.map(([folder]) => nameOf(folder))
    expect(Object.keys(manifest.allowScripts).filter((name) => !names.includes(name))).toEqual([])
    expect(Object.values(manifest.allowScripts)).not.toContain(true)
  })

  it('is locked with a checksum, each package of it', () => {
    expect(lock.size).toBeGreaterThan(100)
    expect([...lock].filter(([, { integrity }]) => !integrity)).toEqual([])
  })

  it('is locked for every system that it has a variant for, without which npm ci refuses', () => {
    const variants = [...lock.values()].flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    )
    expect(variants).toContain('@oxlint/binding-darwin-arm64')
    expect(variants.filter((name) => !lock.has(`node_modules/${name}`))).toEqual([])
  })

  it('has no registry in the lock, so that any mirror serves', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"resolved"')
  })

  it('brings nothing with Scalar, which is served as it was built', () => {
    // Not so: `npm run lock`.
    const scalar = lock.get('node_modules/@scalar/api-reference')
    expect(scalar).toMatchObject({ license: 'MIT' })
    expect(scalar).not.toHaveProperty('dependencies')
  })

  it('has, in production, licences that we allow', () => {
    expect(refusedLicences(lock)).toEqual([])
    const hono = { ...lock.get('node_modules/hono')!, license: 'GPL-3.0-only' }
    expect(refusedLicences(new Map([['node_modules/hono', hono]]))).toHaveLength(1)
  })
})

describe('a new dependency is found out', () => {
  it.each(['^1.2.3', '~1.2.3', 'latest', '1.x', '>=1.0.0', 'github:someone/thing'])(
    'when its version is %s',
    (version) => {
      const dependencies = { ...manifest.dependencies, thing: version }
      expect(inexactVersions({ ...manifest, dependencies })).toEqual([`thing@${version}`])
    },
  )

  it('when it or something below it has an install script', () => {
    const thing = { version: '1.0.0', hasInstallScript: true }
    const more = new Map([...lock, ['node_modules/a/node_modules/@b/thing', thing]])
    expect(unreviewedScripts(more)).toEqual(['node_modules/a/node_modules/@b/thing'])
  })

  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['GPL-3.0-only', false],
    ['MIT AND GPL-3.0-only', false],
    ['LGPL-3.0-or-later', false],
    ['SEE LICENSE IN LICENSE.md', false],
    ['', false],
  ])('when its licence is %j: allowed is %s', (licence, allowed) => {
    expect(isAllowed(licence)).toBe(allowed)
  })
})
