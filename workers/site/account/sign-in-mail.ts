import { html } from 'hono/html'
import type { Mail } from '../mail.ts'

/** The mail that carries a sign-in link. */
export function signInMail(to: string, link: string): Mail {
  const document = html`<p>Hola:</p>
    <p>
      Para entrar a tu cuenta de Cotizaciones abrí este enlace y tocá <strong>Entrar</strong>. Sirve
      una sola vez, durante 10 minutos.
    </p>
    <p><a href="${link}">${link}</a></p>
    <p>Si no lo pediste, no hace falta que hagas nada: sin el enlace nadie puede entrar.</p>`

  return {
    to,
    subject: 'Tu enlace para entrar a Cotizaciones',
    text: [
      'Hola:',
      'Para entrar a tu cuenta de Cotizaciones abrí este enlace y tocá Entrar. Sirve una sola vez, durante 10 minutos.',
      link,
      'Si no lo pediste, no hace falta que hagas nada: sin el enlace nadie puede entrar.',
    ].join('\n\n'),
    html: String(document),
  }
}
