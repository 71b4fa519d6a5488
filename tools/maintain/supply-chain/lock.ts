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

/**
 * Packages of which we only serve a file that holds all it needs. The lock says that they depend on
 * nothing, so that npm does not bring what no code here loads.
 */
export const SERVED_AS_BUILT: readonly string[] = ['@scalar/api-reference']

/** Every locked package by its folder, `node_modules/hono`. */
export function readLock(path = 'package-lock.json'): Map<string, LockedPackage> {
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return new Map(Object.entries(packages).filter(([folder]) => folder !== ''))
}

/** `@scope/name` of `node_modules/a/node_modules/@scope/name`. */
export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
