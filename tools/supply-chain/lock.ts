import { readFileSync } from 'node:fs'

export interface LockedPackage {
  version: string
  integrity?: string
  license?: string
  /** Only for developing; nothing of it is deployed. */
  dev?: boolean
  hasInstallScript?: boolean
}

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
