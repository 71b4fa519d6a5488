import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LockedPackage, nameOf } from './lock.ts'

/** Licences, by their SPDX names, that only ask for attribution. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'CC0-1.0',
  // Asks for the source of its own files, which we use unchanged.
  'MPL-2.0',
])

export interface Licensed {
  name: string
  version: string
  /** As its own package.json says; '' when it says nothing. */
  licence: string
  isAllowed: boolean
}

/**
 * The installed production packages. Variants for other systems, which are locked and not
 * installed, are left out.
 */
export function productionLicences(
  lock: ReadonlyMap<string, LockedPackage>,
  root = '.',
): Licensed[] {
  return [...lock]
    .filter(([folder, { dev }]) => !dev && existsSync(join(root, folder, 'package.json')))
    .map(([folder, { version }]) => {
      const licence = licenceOf(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      return { name: nameOf(folder), version, licence, isAllowed: isAllowed(licence) }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** An SPDX expression of names joined by OR, each perhaps by AND: enough for what npm holds. */
export function isAllowed(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => ALLOWED.has(name.trim())))
}

function licenceOf(manifest: string): string {
  const { license, licenses } = JSON.parse(manifest) as {
    license?: string | { type?: string }
    licenses?: { type?: string }[]
  }
  if (typeof license === 'string') return license
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? ''
}
