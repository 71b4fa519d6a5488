import { existsSync, globSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from './markdown.ts'

const PATH = /`((?:workers|shared|migrations|test|tools|clients|examples|docs)\/[\w./-]+)`/g

/** Its examples name files that a contributor is to make. */
const NAMES_NEW_FILES = 'CONTRIBUTING.md'

/**
 * Paths of the repository in backticks that are not there. An ending such as `.test.ts` may be left
 * out. Where a page names new files, their folder must be there.
 */
export function brokenPaths(page: Page): string[] {
  return page.prose.flatMap((line, index) =>
    [...line.matchAll(PATH)]
      .map(([, path]) => path!)
      .filter((path) => !isThere(path) && !isNew(path, page))
      .map((path) => `${page.file}:${index + 1}: no file ${path}`),
  )
}

function isThere(path: string): boolean {
  return existsSync(path) || globSync(`${path}.*`).length > 0
}

function isNew(path: string, page: Page): boolean {
  return page.file === NAMES_NEW_FILES && existsSync(dirname(path))
}
