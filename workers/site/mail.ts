import { ConfigError, parseMailFrom } from '../../shared/config/config.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

/** Sends through the platform's e-mail binding. */
export async function sendThroughBinding(
  { EMAIL, MAIL_FROM }: Pick<Cloudflare.SiteEnv, 'EMAIL' | 'MAIL_FROM'>,
  mail: Mail,
): Promise<void> {
  const from = parseMailFrom(MAIL_FROM)
  if (from === undefined) throw new ConfigError('MAIL_FROM is missing')

  await EMAIL.send({ from, ...mail })
}
