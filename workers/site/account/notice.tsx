const TEXTS: Record<string, { text: string; tone: 'good' | 'bad' }> = {
  revocada: { text: 'La clave quedó revocada: desde ahora no abre nada.', tone: 'good' },
  'ya-no-existe': { text: 'Esa clave ya no existe.', tone: 'bad' },
  'webhook-pausado': { text: 'El webhook quedó en pausa: no le mandamos nada más.', tone: 'good' },
  'webhook-activado': {
    text: 'El webhook quedó activado: le mandamos el valor actual y después cada cambio.',
    tone: 'good',
  },
  'webhook-guardado': { text: 'Guardamos los cambios del webhook.', tone: 'good' },
  'webhook-borrado': {
    text: 'El webhook quedó borrado, con su secreto y sus entregas.',
    tone: 'good',
  },
  'webhook-ya-creado': {
    text: 'El webhook ya está creado. Su secreto no se muestra otra vez: si no lo copiaste, rotalo.',
    tone: 'good',
  },
  'alerta-creada': { text: 'La alerta quedó creada: te avisamos por correo.', tone: 'good' },
  'alerta-ya-creada': {
    text: 'La alerta ya estaba creada. Su secreto no se muestra otra vez: si no lo copiaste, rotalo.',
    tone: 'good',
  },
  'alerta-por-webhook': {
    text: 'Guardamos los cambios de la alerta. Rotá su secreto para verificar los avisos: el que tiene no se mostró nunca.',
    tone: 'good',
  },
  'alerta-pausada': { text: 'La alerta quedó en pausa: no avisa de nada.', tone: 'good' },
  'alerta-activada': { text: 'La alerta quedó activada.', tone: 'good' },
  'alerta-guardada': { text: 'Guardamos los cambios de la alerta.', tone: 'good' },
  'alerta-borrada': { text: 'La alerta quedó borrada.', tone: 'good' },
  'alerta-probada': {
    text: 'La prueba va por correo, en un minuto. Si la cuenta ya tuvo sus diez correos de la hora, va con el próximo.',
    tone: 'good',
  },
  'cuenta-borrada': { text: 'Borramos tu cuenta y todo lo que tenía.', tone: 'good' },
  salida: { text: 'Saliste de tu cuenta.', tone: 'good' },
  github: { text: 'GitHub no confirmó el acceso. Probá de nuevo o usá tu correo.', tone: 'bad' },
}

/**
 * A message after a redirect. The address holds only its name, so that nobody can put a text on the
 * page.
 */
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
