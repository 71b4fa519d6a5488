const PAGES = [
  { href: '/cuenta', label: 'Claves de API' },
  { href: '/cuenta/webhooks', label: 'Webhooks' },
  { href: '/cuenta/alertas', label: 'Alertas' },
] as const

/** The navigation of the account area. */
export function AccountNav({ here }: { here: (typeof PAGES)[number]['href'] }) {
  return (
    <nav class="tabs" aria-label="Tu cuenta">
      {PAGES.map(({ href, label }) => (
        <a href={href} aria-current={href === here ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}
