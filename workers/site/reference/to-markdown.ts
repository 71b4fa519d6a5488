import type { Block, DocPage } from './page.ts'

/** The Markdown twin of a page. */
export function toMarkdown({ title, summary, blocks }: DocPage): string {
  return [`# ${title}`, summary, ...blocks.map(blockMarkdown)].join('\n\n') + '\n'
}

function blockMarkdown(block: Block): string {
  if ('heading' in block) return `${'#'.repeat(block.level)} ${block.heading}`
  if ('text' in block) return block.text
  if ('list' in block) return block.list.map((item) => `- ${item}`).join('\n')
  if ('code' in block) return `\`\`\`${block.language}\n${block.code}\n\`\`\``

  const rows = [block.columns, block.columns.map(() => '---'), ...block.rows]
  return rows.map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
