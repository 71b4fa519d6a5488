import { sendThroughBinding } from './mail.ts'
import type { SiteEnv } from './context.ts'
import { createSite } from './site.ts'

export { createSite } from './site.ts'
export type { Deps, SiteEnv } from './context.ts'
export type { Mail } from './mail.ts'

const site: ExportedHandler<SiteEnv> & ReturnType<typeof createSite> = createSite({
  now: () => Date.now(),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  sendMail: sendThroughBinding,
})

export default site
