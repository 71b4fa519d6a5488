import { type Mail, mailThrough } from '../../shared/mail.ts'
import { ConfigError, setting, type Variables } from '../../shared/config/config.ts'
import { parsePublicOrigin } from '../../shared/config/public-origin.ts'

/** Where the user reads a mail: with `npm start`, without a mail server, in the terminal. */
export type SentTo = 'mailbox' | 'terminal'

/** Sends through the platform's e-mail binding. Fails without an origin for the mail's links. */
export async function sendThroughBinding(
  env: Pick<Cloudflare.SiteEnv, 'EMAIL'> & Pick<Variables, 'MAIL_FROM' | 'PUBLIC_ORIGIN'>,
  mail: Mail,
): Promise<SentTo> {
  const from = setting(env, 'MAIL_FROM')
  if (from === undefined) throw new ConfigError('MAIL_FROM is missing')
  if (parsePublicOrigin(env.PUBLIC_ORIGIN).length === 0)
    throw new ConfigError('PUBLIC_ORIGIN is missing')

  await mailThrough(env.EMAIL, from)(mail)
  return 'mailbox'
}
