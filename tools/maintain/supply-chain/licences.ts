import { type LockedPackage, nameOf } from './lock.ts'

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

/**
 * The production packages, with variants for other systems. The lock repeats what their manifests
 * say; '' is nothing.
 */
export function productionLicences(lock: ReadonlyMap<string, LockedPackage>) {
  return [...lock]
    .filter(([folder, { dev }]) => !dev && !UNUSED.test(folder))
    .map(([folder, { version, license: licence = '' }]) => ({
      name: nameOf(folder),
      version,
      licence,
      isAllowed: isAllowed(licence),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** An SPDX expression of names joined by OR, each perhaps by AND: enough for what npm holds. */
export function isAllowed(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => ALLOWED.has(name.trim())))
}
