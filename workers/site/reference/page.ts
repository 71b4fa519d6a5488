/**
 * A part of a page of the documentation, printed as HTML and as Markdown. A text is one or more
 * paragraphs with `code`, **strong** words and [links](/docs).
 */
export type Block =
  | string
  | { heading: string; level: 2 | 3 }
  | { list: string[] }
  | { code: string; language: string }
  | { columns: string[]; rows: string[][] }

export interface DocPage {
  path: string
  title: string
  summary: string
  blocks: Block[]
}

export const heading = (heading: string, level: 2 | 3 = 2): Block => ({ heading, level })
export const list = (...list: string[]): Block => ({ list })
export const code = (language: string, code: string): Block => ({ language, code: code.trim() })
export const table = (columns: string[], ...rows: string[][]): Block => ({ columns, rows })

export function toMarkdown({ title, summary, blocks }: DocPage): string {
  return [`# ${title}`, summary, ...blocks.map(blockMarkdown)].join('\n\n') + '\n'
}

function blockMarkdown(block: Block): string {
  if (typeof block === 'string') return block
  if ('heading' in block) return `${'#'.repeat(block.level)} ${block.heading}`
  if ('list' in block) return block.list.map((item) => `- ${item}`).join('\n')
  if ('code' in block) return `\`\`\`${block.language}\n${block.code}\n\`\`\``

  const rows = [block.columns, block.columns.map(() => '---'), ...block.rows]
  return rows.map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
