import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  inexactVersions,
  isAllowed,
  readLock,
  readManifest,
  refusedLicences,
  staleScripts,
  unreviewedScripts,
  withoutChecksum,
} from '../../support/supply-chain.ts'

const manifest = readManifest()
const lock = readLock()

describe('what we depend on', () => {
  it('is named with exact versions', () => {
    expect(inexactVersions(manifest)).toEqual([])
  })

  it('runs no script at installation, and those that it has were looked at', () => {
    expect(unreviewedScripts(lock, manifest)).toEqual([])
    expect(staleScripts(lock, manifest)).toEqual([])
    expect(Object.values(manifest.allowScripts)).not.toContain(true)
  })

  it('is locked with a checksum, each package of it', () => {
    expect(lock.size).toBeGreaterThan(100)
    expect(withoutChecksum(lock)).toEqual([])
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
    expect(unreviewedScripts(more, manifest)).toEqual(['node_modules/a/node_modules/@b/thing'])
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
