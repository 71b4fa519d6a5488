// Shows the reference with Scalar, from our own files: no fonts, telemetry or proxy of others.
const target = document.getElementById('referencia')

try {
  const { createApiReference } = await import('/static/scalar/standalone.esm.js')
  target.replaceChildren()
  createApiReference(target, {
    sources: [
      { title: 'Lecturas', slug: 'lecturas', url: '/openapi/quotes.json', default: true },
      { title: 'Webhooks', slug: 'webhooks', url: '/openapi/webhooks.json' },
      { title: 'Agregados', slug: 'agregados', url: '/openapi/extras.json' },
    ],
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
  target.querySelector('[data-loading]')?.replaceChildren(
    'La referencia no se pudo cargar: ',
    Object.assign(document.createElement('a'), {
      href: '/docs/referencia',
      textContent: 'leela en una página simple',
    }),
  )
  throw error
}
