import { ConfigError, parseMailFrom } from '../../shared/config/config.ts'
import { parsePublicOrigin } from '../../shared/config/public-origin.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** Sends through the platform's e-mail binding. No mail without an origin for its links. */
export async function sendThroughBinding(
  {
    EMAIL,
    MAIL_FROM,
    PUBLIC_ORIGIN,
  }: Pick<Cloudflare.SiteEnv, 'EMAIL' | 'MAIL_FROM' | 'PUBLIC_ORIGIN'>,
  mail: Mail,
): Promise<void> {
  const from = parseMailFrom(MAIL_FROM)
  if (from === undefined) throw new ConfigError('MAIL_FROM is missing')
  if (parsePublicOrigin(PUBLIC_ORIGIN).length === 0)
    throw new ConfigError('PUBLIC_ORIGIN is missing')

  await EMAIL.send({ from, ...mail })
}
