import type { Mail, SiteEnv } from '../../site/index.ts'

/** Here nobody has a mailbox: the link of a mail is a line that the process around us prints. */
export async function printMail(_env: SiteEnv, { to, text }: Mail): Promise<void> {
  const link = text.match(/^https?:\/\/\S+$/m)?.[0]
  console.log(`link ${to} ${link ?? ''}`)
}
