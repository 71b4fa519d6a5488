import type { SiteEnv } from './context.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

/** Sends through the platform's e-mail binding. */
export async function sendThroughBinding({ EMAIL, MAIL_FROM }: SiteEnv, mail: Mail): Promise<void> {
  if (!MAIL_FROM) throw new Error('MAIL_FROM is not set')

  await EMAIL.send({ from: MAIL_FROM, ...mail })
}
