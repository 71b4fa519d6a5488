const TEXTS: Record<string, { text: string; tone: 'good' | 'bad' }> = {
  revocada: { text: 'La clave quedó revocada: desde ahora no abre nada.', tone: 'good' },
  'ya-no-existe': { text: 'Esa clave ya no existe.', tone: 'bad' },
  'cuenta-borrada': { text: 'Borramos tu cuenta y todo lo que tenía.', tone: 'good' },
  salida: { text: 'Saliste de tu cuenta.', tone: 'good' },
  github: { text: 'GitHub no confirmó el acceso. Probá de nuevo o usá tu correo.', tone: 'bad' },
}

/** A message after a redirect. The address only names one of ours, so that it can carry no text. */
export function Notice({ code }: { code: string | undefined }) {
  const notice = code !== undefined && Object.hasOwn(TEXTS, code) ? TEXTS[code] : undefined

  return (
    <div aria-live="polite">
      {notice && (
        <p class={`notice ${notice.tone}`} role="status">
          {notice.text}
        </p>
      )}
    </div>
  )
}
