import { readFileSync } from 'node:fs'

/** A fenced block of code. */
export interface CodeBlock {
  /** `sh`, `js`, …; empty where none is said. */
  language: string
  /** What stands behind the language: `account`, `network`. */
  marks: string[]
  code: string
  /** Of its first line of code. */
  line: number
}

/** A page of Markdown, as far as it is checked. */
export interface Page {
  file: string
  blocks: CodeBlock[]
  /** The lines outside blocks of code; blocks leave empty ones. */
  prose: string[]
}

const FENCE = /^\s*(`{3,}|~{3,})\s*(.*)$/

export function readPage(file: string): Page {
  return parsePage(file, readFileSync(file, 'utf8'))
}

export function parsePage(file: string, text: string): Page {
  const blocks: CodeBlock[] = []
  const prose: string[] = []
  let open: { fence: string; block: CodeBlock } | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const [, fence, words = ''] = FENCE.exec(line) ?? []
    if (open && fence === open.fence && words === '') open = null
    else if (open) open.block.code += `${line}\n`
    else if (fence) {
      const [language = '', ...marks] = words.trim().split(/\s+/)
      open = { fence, block: { language, marks, code: '', line: index + 2 } }
      blocks.push(open.block)
    }
    prose.push(open || fence ? '' : line)
  }
  return { file, blocks, prose }
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf({ prose }: Page): Set<string> {
  const anchors = new Set<string>()
  for (const line of prose) {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? []
    if (heading === undefined) continue

    const slug = slugOf(heading)
    let anchor = slug
    for (let again = 1; anchors.has(anchor); again++) anchor = `${slug}-${again}`
    anchors.add(anchor)
  }
  return anchors
}

/** Links count as their text; letters of any alphabet, digits, `_` and `-` stay. */
function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}
