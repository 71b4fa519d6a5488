import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }

interface LockedPackage {
  integrity?: string
  license?: string
  /** Only for development; never deployed. */
  dev?: boolean
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>
}
/** Every locked package by its folder, `node_modules/hono`. */
const lock = new Map(Object.entries(packages).filter(([folder]) => folder !== ''))

it('dependencies are named with exact versions', () => {
  const { dependencies, devDependencies, optionalDependencies, overrides } = manifest
  for (const group of [dependencies, devDependencies, optionalDependencies, overrides])
    for (const [name, version] of Object.entries(group))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
})

it('no dependency runs a script at installation, and dependencies with a script were reviewed', () => {
  const scripted = [...lock].flatMap(([folder, { hasInstallScript }]) =>
    hasInstallScript ? [folder.slice(folder.lastIndexOf('node_modules/') + 13)] : [],
  )
  const looked = Object.keys(manifest.allowScripts)
  expect(looked.toSorted()).toEqual([...new Set(scripted)].toSorted())
  expect(Object.values(manifest.allowScripts)).not.toContain(true)
})

it('the lock file has a checksum of each package and no registry, so any mirror can be used', () => {
  expect(lock.size).toBeGreaterThan(100)
  expect([...lock].filter(([, { integrity }]) => !integrity)).toEqual([])
  expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"resolved"')
})

it('packages are locked for every system that they have a variant for, else npm ci refuses', () => {
  const variants = [...lock.values()].flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  )
  expect(variants).toContain('@oxlint/binding-darwin-arm64')
  expect(variants.filter((name) => !lock.has(`node_modules/${name}`))).toEqual([])
})

it('Scalar is installed without dependencies: its built script is served', () => {
  // If not, run `npm run lock`.
  const scalar = lock.get('node_modules/@scalar/api-reference')
  expect(scalar).toMatchObject({ license: 'MIT' })
  expect(scalar).not.toHaveProperty('dependencies')
})

/** SPDX names of licences that require only attribution; MPL also the source of its own files. */
const ALLOWED = /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|CC0-1\.0|MPL-2\.0)$/

/** Miniflare's image library, which nothing here uses: the container image leaves it out. */
const UNUSED = /(^|\/)node_modules\/(@img\/|sharp$)/

it('deployed packages have licences that we allow', () => {
  for (const [folder, { dev, license = '' }] of lock) {
    if (dev || UNUSED.test(folder)) continue
    // Alternatives joined by OR, each possibly with AND.
    const choices = license.replaceAll(/[()]/g, '').split(' OR ')
    const isAllowed = choices.some((all) => all.split(' AND ').every((name) => ALLOWED.test(name)))
    expect(isAllowed, `${folder}: ${license}`).toBe(true)
  }
})
