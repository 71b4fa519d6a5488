/** Shows the API reference with Scalar, all from our own files: no foreign fonts or telemetry. */
import { find, make } from './dom.ts'

/** Copied unchanged into our static files; only this page loads it. */
const SCALAR = '/static/scalar/standalone.esm.js'
const target = find('#referencia')

try {
  const { createApiReference } = await import(SCALAR)
  target.replaceChildren()
  createApiReference(target, {
    sources: JSON.parse(target.dataset['documents']!),
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    showDeveloperTools: 'never',
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    persistAuth: false,
    localization: { locale: 'es' },
    defaultOpenAllTags: true,
  })
} catch (error) {
  const way = make('a', { href: '/docs/referencia' }, 'leela en una página simple')
  target.querySelector('.notice')?.replaceChildren('La referencia no se pudo cargar: ', way)
  throw error
}
