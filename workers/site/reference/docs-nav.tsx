const LINKS = [
  ['/docs', 'Probar la API'],
  ['/docs/referencia', 'Referencia'],
  ['/docs/webhooks', 'Webhooks'],
  ['/docs/planillas', 'Planillas'],
  ['/datos', 'Datos'],
  ['/mudarse', 'Mudarse'],
  ['/docs/cambios', 'Cambios'],
] as const

/** The ways through the documentation. */
export function DocsNav({ current }: { current: string }) {
  return (
    <nav class="docs-nav" aria-label="Documentación">
      {LINKS.map(([path, name]) => (
        <a href={path} aria-current={path === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
