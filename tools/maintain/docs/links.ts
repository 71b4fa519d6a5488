import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { anchorsOf, type Page, readPage } from './markdown.ts'

const LINKS = [/\[[^\]]*\]\(([^)\s]+)\)/g, /(?:src|srcset|href)="([^"]+)"/g]

/** Links of a page to files and headings that are not there. Addresses elsewhere are not asked. */
export function brokenLinks(page: Page): string[] {
  return page.prose.flatMap((line, index) => {
    // What stands in backticks shows a link, and is none.
    const text = line.replaceAll(/`[^`]*`/g, (code) => ' '.repeat(code.length))
    return LINKS.flatMap((pattern) => [...text.matchAll(pattern)])
      .map(([, target]) => problemOf(page, target!))
      .filter((problem) => problem !== null)
      .map((problem) => `${page.file}:${index + 1}: ${problem}`)
  })
}

function problemOf(page: Page, target: string): string | null {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return null

  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page.file : join(dirname(page.file), decodeURIComponent(path))
  if (path !== '' && !existsSync(file)) return `no file ${target}`
  if (anchor === undefined || !file.endsWith('.md')) return null

  const anchors = anchorsOf(path === '' ? page : readPage(file))
  return anchors.has(decodeURIComponent(anchor)) ? null : `no heading for ${target}`
}
