import { spawnSync } from 'node:child_process'
import { parseAst } from 'rolldown/parseAst'
import type { CodeBlock, Page } from './markdown.ts'

/** Blocks of code that are not what they say: JSON, shell, JavaScript, Python, PHP. */
export function brokenCode({ file, blocks }: Page): string[] {
  return blocks.flatMap((block) => {
    const problem = CHECKS[block.language]?.(block) ?? null
    return problem === null ? [] : [`${file}:${block.line}: ${problem}`]
  })
}

type Check = (block: CodeBlock) => string | null

const CHECKS: Record<string, Check> = {
  json: ({ code }) => failureOf(() => JSON.parse(code)),
  js: ({ code }) => failureOf(() => parseAst(code, { lang: 'js', sourceType: 'module' })),
  ts: ({ code }) => failureOf(() => parseAst(code, { lang: 'ts', sourceType: 'module' })),
  sh: ({ code }) => refusalOf('bash', ['-n'], code),
  python: ({ code }) =>
    refusalOf('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], code),
  php: ({ code }) => refusalOf('php', ['-l'], code.startsWith('<?php') ? code : `<?php\n${code}`),
}

function failureOf(parse: () => unknown): string | null {
  try {
    parse()
    return null
  } catch (error) {
    return (error as Error).message.split('\n')[0]!
  }
}

/** What a language's own parser says; nothing where this machine does not have it. */
function refusalOf(command: string, args: string[], code: string): string | null {
  const { status, stderr, stdout } = spawnSync(command, args, { input: code, encoding: 'utf8' })
  if (status === 0 || status === null) return null
  return (stderr || stdout).trim().split('\n').at(-1) ?? 'is refused'
}
