import { describe, expect, it } from 'vitest'
import { docProblems } from '../../tools/maintain/docs/check.ts'
import { brokenCode } from '../../tools/maintain/docs/code.ts'
import {
  commandsOf,
  unknownOptions,
  unknownScripts,
  unmarkedCommands,
} from '../../tools/maintain/docs/commands.ts'
import { brokenLinks } from '../../tools/maintain/docs/links.ts'
import { anchorsOf, parsePage } from '../../tools/maintain/docs/markdown.ts'
import { brokenPaths } from '../../tools/maintain/docs/paths.ts'

it('the documents hold (npm run docs -- check)', () => expect(docProblems()).toEqual([]))

const page = (...lines: string[]) => parsePage('docs/page.md', lines.join('\n'))
const sh = (...lines: string[]) => page('```sh', ...lines, '```')

describe('a link', () => {
  it.each(['[a](start.md)', '[a](../README.md#deploy)', '[a](https://x.test/y#z)', '`[a](no.md)`'])(
    'that leads somewhere, or shows one, is fine: %s',
    (line) => expect(brokenLinks(page(line))).toEqual([]),
  )

  it.each([
    ['[a](no.md)', 'docs/page.md:1: no file no.md'],
    ['[a](start.md#nowhere)', 'docs/page.md:1: no heading for start.md#nowhere'],
    ['[a](#nowhere)', 'docs/page.md:1: no heading for #nowhere'],
    ['<img src="images/no.jpg">', 'docs/page.md:1: no file images/no.jpg'],
  ])('that leads nowhere is told: %s', (line, problem) =>
    expect(brokenLinks(page(line))).toEqual([problem]),
  )
})

const example = (path: string) => brokenPaths(parsePage('CONTRIBUTING.md', `\`${path}\``))

describe('a path of the repository', () => {
  it('that is there is fine, without its ending too', () => {
    expect(
      brokenPaths(page('`test/docs`, `test/docs/check` and `tools/maintain/docs.ts`')),
    ).toEqual([])
  })

  it('that is not there is told', () => {
    const problem = 'docs/page.md:2: no file test/docs/no.ts'
    expect(brokenPaths(page('', 'see `test/docs/no.ts`'))).toEqual([problem])
  })

  it('may be a new file of an example, in a folder that is there', () => {
    expect(example('test/docs/new.ts')).toEqual([])
    expect(example('test/nowhere/new.ts')).toHaveLength(1)
  })
})

it('knows the anchors of headings as GitHub makes them', () => {
  const anchors = anchorsOf(page('# A `b` & c', '## Año, [uno](x.md)', '# Same', '# Same'))
  expect([...anchors]).toEqual(['a-b--c', 'año-uno', 'same', 'same-1'])
})

describe('a command', () => {
  it('is looked for with its options, in blocks and in backticks', () => {
    const known = [
      ...commandsOf(sh('npm start -- --demo  # it')),
      ...commandsOf(page('`npm test`')),
    ]
    expect(known.map(({ script }) => script)).toEqual(['start', 'test'])
    expect([...unknownScripts(known), ...unknownOptions(known)]).toEqual([])

    const unknown = commandsOf(page('', 'see `npm run nothing` and `npm start -- --no-such`'))
    expect(unknownScripts(unknown)).toEqual(['docs/page.md:2: no script nothing'])
    expect(unknownOptions(unknown)).toEqual(['docs/page.md:2: npm run start has no --no-such'])
  })

  it('of somebody else needs a mark on its block', () => {
    expect(unmarkedCommands(sh('wrangler whoami'))).toHaveLength(1)
    expect(unmarkedCommands(page('```sh account', 'wrangler whoami', '```'))).toEqual([])
    expect(unmarkedCommands(sh('# words', 'KEY=1 curl \\', '  wrangler'))).toEqual([])
    expect(unmarkedCommands(sh('npx vitest run test/nowhere'))).toHaveLength(1)
  })
})

it.each([
  ['json', '{"a": 1}', '{a: 1}'],
  ['js', 'await x()', 'const = 1'],
  ['ts', 'const a: number = 1', 'const a: = 1'],
  ['sh', 'echo "a"', 'echo "a'],
])('a block of %s is parsed', (language, good, bad) => {
  expect(brokenCode(page(`\`\`\`${language}`, good, '```'))).toEqual([])
  expect(brokenCode(page(`\`\`\`${language}`, bad, '```'))).toHaveLength(1)
})
