import { PAIR_NOTES } from '../../../shared/market/catalog.ts'
import { DOCUMENTS } from './documents.ts'
import { GUIDES } from './guides.ts'
import type { Terms } from '../../../shared/api/operation.ts'
import { operationsOf } from './openapi.ts'
import { toMarkdown } from './to-markdown.ts'

/** The index for language models (llmstxt.org). */
export function llmsText(terms: Terms): string {
  const { origin } = terms
  const operations = DOCUMENTS.flatMap(({ make }) => operationsOf(make(terms)))
  const pages = GUIDES.map(({ make }) => make(terms))

  return `# Cotizaciones

> Los tipos de cambio del mercado argentino, ahora, a cualquier fecha pasada y por webhooks firmados. Leer es público y no necesita clave; el historial y los webhooks, sí.

Los precios son pesos argentinos por unidad. Por ejemplo, \`GET ${origin}/api/v2/usd/blue\` es el dólar blue. ${Object.values(PAIR_NOTES).join(' ')}

## Documentos

- [Todo en un archivo](${origin}/llms-full.txt)
${DOCUMENTS.map(({ path, title }) => `- [${title}](${origin}${path})`).join('\n')}
${pages.map(({ path, title, summary }) => `- [${title}](${origin}${path}.md): ${summary}`).join('\n')}

## Rutas

${operations.map(({ method, path, operation }) => `- \`${method} ${path}\`: ${operation.summary}`).join('\n')}
`
}

/** All the documentation in one Markdown text. */
export function fullText(terms: Terms): string {
  return GUIDES.map(({ make }) => toMarkdown(make(terms))).join('\n')
}
