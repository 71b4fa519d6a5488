import { LOCAL_MAIL } from './order.ts'

/** The service of the start's process that sends mails by SMTP, where `MAIL_TRANSPORT` names a server. */
export interface MailEnv {
  [LOCAL_MAIL]?: Fetcher
}

/** In the form of the platform's e-mail binding; null without a mail server. */
export function smtpBinding(env: MailEnv): SendEmail | null {
  const service = env[LOCAL_MAIL]
  if (!service) return null

  const send = async (mail: unknown) => {
    const response = await service.fetch('http://mail/', {
      method: 'POST',
      body: JSON.stringify(mail),
    })
    if (!response.ok) throw new Error(`mail server: ${await response.text()}`)
    return { messageId: '' }
  }
  return { send } as SendEmail
}
