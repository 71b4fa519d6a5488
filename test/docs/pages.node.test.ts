/** Checks facts in the documents: links, headings, paths, commands and their options. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { pairKey, PAIRS } from '../../shared/market/catalog.ts'
import { SERIES } from '../../tools/operate/backfill/archives.ts'
import manifest from '../../package.json' with { type: 'json' }

/** A page with its lines; `prose` leaves out code blocks. */
interface Page {
  file: string
  lines: string[]
  prose: string[]
}

function pageOf(file: string, text = readFileSync(file, 'utf8')): Page {
  const lines = text.split('\n')
  let isCode = false
  const prose = lines.map((line) => {
    const isFence = /^\s*(`{3,}|~{3,})/.test(line)
    if (isFence) isCode = !isCode
    return isCode || isFence ? '' : line
  })
  return { file, lines, prose }
}

const LINKS = /\[[^\]]*\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g

function brokenLinks({ file, prose }: Page): string[] {
  // A link in backticks is an example, not a link.
  const targets = prose.flatMap((line) => [...line.replaceAll(/`[^`]*`/g, '').matchAll(LINKS)])
  return targets.flatMap(([, markdown, html]) => {
    const target = (markdown ?? html)!
    if (/^[a-z][a-z+.-]*:/i.test(target)) return []
    const [path = '', anchor] = target.split('#')
    const other = path === '' ? file : join(dirname(file), decodeURIComponent(path))
    if (!existsSync(other)) return [`${file}: no file ${target}`]
    const isThere = anchor === undefined || anchorsOf(pageOf(other)).includes(anchor)
    return isThere ? [] : [`${file}: no heading for ${target}`]
  })
}

/** The anchors that GitHub makes from headings. */
function anchorsOf({ prose }: Page): string[] {
  return prose
    .filter((line) => /^#{1,6} /.test(line))
    .map((line) =>
      line
        .replace(/^#+ +/, '')
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    )
}

const PATH = /`((?:workers|shared|migrations|test|tools|clients|examples|docs)\/[\w./-]+)`/g

/** A path may lack its extension. CONTRIBUTING.md names new files, in existing folders. */
function brokenPaths({ file, prose }: Page): string[] {
  return prose
    .flatMap((line) => [...line.matchAll(PATH)].map(([, path]) => path!))
    .filter((path) => !existsSync(path) && globSync(`${path}.*`).length === 0)
    .filter((path) => file !== 'CONTRIBUTING.md' || !existsSync(dirname(path)))
    .map((path) => `${file}: no file ${path}`)
}

const COMMAND =
  /\bnpm (?:run (?:-s |--silent )?([\w:]+)|(start|test))\b(?:[ \t]+--[ \t]+([^`#\n]*))?/g

const scripts: Record<string, string> = manifest.scripts

/** Scripts that do not exist, and options that no source of their tool names. */
function unknownCommands({ file, lines }: Page): string[] {
  return lines.flatMap((line) =>
    [...line.matchAll(COMMAND)].flatMap(([, run, short, words = '']) => {
      const script = (run ?? short)!
      if (!(script in scripts)) return [`${file}: no script ${script}`]
      const [, tool] = /node tools\/([\w/-]+)\.ts$/.exec(scripts[script]!) ?? []
      if (tool === undefined) return []
      const files = [`tools/${tool}.ts`, `tools/${tool}/**/*.ts`]
      const sources = globSync(files).map((source) => readFileSync(source, 'utf8'))
      return (words.match(/--[a-z][a-z0-9-]*/g) ?? [])
        .filter((option) => option !== '--help' && !sources.join().includes(option))
        .map((option) => `${file}: npm run ${script} has no ${option}`)
    }),
  )
}

const problemsOf = (page: Page) =>
  [brokenLinks, brokenPaths, unknownCommands].flatMap((problems) => problems(page))

it('no page names a file, heading, command or option that does not exist', () => {
  const files = globSync(['*.md', '{docs,clients,examples}/**/*.md'], {
    exclude: ['**/node_modules/**'],
  })
  expect(files.length).toBeGreaterThan(10)
  expect(files.map((file) => pageOf(file)).flatMap(problemsOf)).toEqual([])
})

it.each([
  ['[a](no.md)', 'no file no.md'],
  ['[a](start.md#nowhere)', 'no heading for start.md#nowhere'],
  ['<img src="images/no.jpg">', 'no file images/no.jpg'],
  ['`test/docs/no.ts`', 'no file test/docs/no.ts'],
  ['`npm run nothing`', 'no script nothing'],
  ['`npm start -- --no-such`', 'npm run start has no --no-such'],
])('the checks find %s', (line, problem) =>
  expect(problemsOf(pageOf('docs/page.md', line))).toEqual([`docs/page.md: ${problem}`]),
)

it('history.md names every pair that no archive has', () => {
  const without = PAIRS.map(pairKey).filter((key) => !SERIES[key])
  expect(pageOf('docs/history.md').lines.join()).toContain(
    `No archive has ${without.slice(0, -1).join(', ')} and ${without.at(-1)}.`,
  )
})
