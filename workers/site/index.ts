import type { SiteEnv } from './context.ts'
import { sendThroughBinding } from './mail.ts'
import { createSite } from './app.ts'

export default createSite({
  now: () => Date.now(),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  sendMail: sendThroughBinding,
}) satisfies ExportedHandler<SiteEnv>
