import type { Mail, SiteEnv } from '../../site/index.ts'

/** Prints the link of a mail, because locally nobody has a mailbox. */
export async function printMail(_env: SiteEnv, { to, text }: Mail): Promise<void> {
  const link = text.match(/^https?:\/\/\S+$/m)?.[0]
  console.log(`link ${to} ${link ?? ''}`)
}
