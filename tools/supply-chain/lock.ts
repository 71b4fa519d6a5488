import { readFileSync } from 'node:fs'

/** What package-lock.json says of one package. */
export interface LockedPackage {
  version: string
  integrity?: string
  /** Only for developing; nothing of it is deployed. */
  dev?: boolean
  devOptional?: boolean
  hasInstallScript?: boolean
}

/** What package.json says that matters here. */
export interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  overrides: Record<string, string>
  /** Which packages may run scripts when they are installed: true or false for each that has one. */
  allowScripts: Record<string, boolean>
}

/** Every locked package by its folder, `node_modules/hono`. */
export function readLock(path = 'package-lock.json'): Map<string, LockedPackage> {
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return new Map(Object.entries(packages).filter(([folder]) => folder !== ''))
}

export function readManifest(path = 'package.json'): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest
}

/** `@scope/name` of `node_modules/a/node_modules/@scope/name`. */
export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
