/// <reference types="vite/client" />

/** Our own small upstream documents, made from the formats with our own numbers. */
const files = import.meta.glob<string>('../scraper/documents/*', {
  query: '?raw',
  import: 'default',
  eager: true,
})

export function document(name: string): string {
  const text = files[`../scraper/documents/${name}`]
  if (text === undefined) throw new Error(`no document ${name}`)

  return text
}
