import { existsSync, globSync, readFileSync } from 'node:fs'
import type { Page } from './markdown.ts'

/** A command of ours as a page writes it. */
export interface Command {
  /** `page:line`. */
  at: string
  /** The script of package.json: `start`, `admin`. */
  script: string
  /** What follows ` -- `, without comments. */
  words: string[]
}

/** What an unmarked block may call beside our own scripts. */
const HARMLESS = new Set(['curl', 'mkdir', 'cp', 'mv', 'cd', 'git', 'cat'])

const OURS = /\bnpm (?:run (?:-s |--silent )?([\w:]+)|(start|test))\b(?:[ \t]+--[ \t]+([^`#\n]*))?/g

/** Every command of ours that a page names, in blocks and in backticks. */
export function commandsOf({ file, blocks, prose }: Page): Command[] {
  const texts = [
    ...blocks
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code, line }) =>
        code.split('\n').map((text, index) => [text, line + index] as const),
      ),
    ...prose.flatMap((text, index) =>
      [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => [code!, index + 1] as const),
    ),
  ]
  return texts.flatMap(([text, line]) =>
    [...text.matchAll(OURS)].map(([, run, short, words = '']) => ({
      at: `${file}:${line}`,
      script: (run ?? short)!,
      words: words.trim().split(/\s+/).filter(Boolean),
    })),
  )
}

/** Scripts that there are not. */
export function unknownScripts(commands: readonly Command[]): string[] {
  const scripts = scriptsOf()
  return commands
    .filter(({ script }) => !(script in scripts))
    .map(({ at, script }) => `${at}: no script ${script}`)
}

/** Options that no text of the command's tool names: not its usage, and so not the tool. */
export function unknownOptions(commands: readonly Command[]): string[] {
  const texts = new Map<string, string | null>()
  return commands.flatMap(({ at, script, words }) => {
    if (!texts.has(script)) texts.set(script, textOf(script))
    const text = texts.get(script)!
    if (text === null) return []
    return (
      words
        .flatMap((word) => /^[[(]*(--[a-z][a-z0-9-]*)/.exec(word)?.[1] ?? [])
        .filter((option) => !text.includes(option))
        // tools/support/arguments.ts answers it for every command.
        .filter((option) => !(option === '--help' && text.includes('runCommand')))
        .map((option) => `${at}: npm run ${script} has no ${option}`)
    )
  })
}

/** The sources of the tool behind a script, where it is one of ours: `tools/operate/admin.ts` and its folder. */
function textOf(script: string): string | null {
  const [, tool] = /^(?:exec )?node tools\/([\w/-]+)\.ts$/.exec(scriptsOf()[script] ?? '') ?? []
  if (tool === undefined) return null

  const files = globSync([
    `tools/${tool}.ts`,
    `tools/${tool}/**/*.ts`,
    'tools/prove/harness/tasks.ts',
  ])
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

/**
 * Lines of shell that nobody here can run: another program, in a block that does not say `account`
 * (it needs one), `network` (it fetches what is somebody else's) or `docker`.
 */
export function unmarkedCommands({ file, blocks }: Page): string[] {
  return blocks
    .filter(({ language, marks }) => language === 'sh' && marks.length === 0)
    .flatMap(({ code, line }) =>
      code.split('\n').flatMap((text, index) => {
        const isContinued = code.split('\n')[index - 1]?.endsWith('\\') ?? false
        const [, program] = /^(?:[A-Z_]+=\S+ )*([\w./-]+)/.exec(text) ?? []
        if (program === undefined || isContinued || HARMLESS.has(program)) return []
        if (/^npm (run|start|test)\b/.test(text)) return []
        if (/^npx vitest run (\S+)/.test(text)) return missingPath(file, line + index, text)
        return [`${file}:${line + index}: ${program} in a block that is not marked`]
      }),
    )
}

function missingPath(file: string, line: number, text: string): string[] {
  const path = /^npx vitest run (\S+)/.exec(text)![1]!
  return existsSync(path) ? [] : [`${file}:${line}: no ${path}`]
}

function scriptsOf(): Record<string, string> {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>
  }
  return scripts
}
