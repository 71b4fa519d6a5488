import type { Terms } from './limits.ts'
import { operationsOf } from './openapi.ts'
import { GUIDES } from './guides.ts'
import { quotesDocument } from './quotes-document.ts'
import { toMarkdown } from './to-markdown.ts'
import { webhooksDocument } from './webhooks-document.ts'

/** The index for language models (llmstxt.org): what this is, and where the rest is. */
export function llmsText(terms: Terms): string {
  const { origin } = terms
  const operations = [quotesDocument(terms), webhooksDocument(terms)].flatMap(operationsOf)
  const pages = GUIDES.map(({ make }) => make(terms))

  return `# Cotizaciones

> Los tipos de cambio del mercado argentino, ahora, a cualquier fecha pasada y por webhooks firmados. Leer es público y no necesita clave; el historial y los webhooks, sí.

Los precios son pesos argentinos por unidad. Por ejemplo, \`GET ${origin}/api/v2/usd/blue\` es el dólar blue.

## Documentos

- [Todo en un archivo](${origin}/llms-full.txt)
- [OpenAPI de lecturas](${origin}/openapi/quotes.json)
- [OpenAPI de webhooks](${origin}/openapi/webhooks.json)
${pages.map(({ path, title, summary }) => `- [${title}](${origin}${path}.md): ${summary}`).join('\n')}

## Rutas

${operations.map(({ method, path, operation }) => `- \`${method} ${path}\`: ${operation.summary}`).join('\n')}
`
}

/** All the documentation in one Markdown text. */
export function fullText(terms: Terms): string {
  return GUIDES.map(({ make }) => toMarkdown(make(terms))).join('\n')
}
