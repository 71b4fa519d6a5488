import { resealWebhooks } from '../../shared/db/webhooks/reseal.ts'
import type { AdminCommand } from './command.ts'
import { requireKeyring } from './keyring.ts'
import { takeWords } from './words.ts'

export const command: AdminCommand = {
  name: 'reseal',
  usage: '',
  summary: 'Seals every webhook’s secrets with the current key-encryption secret.',
  details:
    'Put a new secret first in KEY_ENCRYPTION_KEYS, deploy, run this, then retire the old one.\n' +
    'With --remote, give KEY_ENCRYPTION_KEYS in the environment: it cannot be read back.',
  async run(args, context) {
    takeWords(args)
    const counts = await resealWebhooks(context.db, requireKeyring(context), (done) =>
      context.warn(`${done} webhooks looked at`),
    )
    context.print(
      `webhooks: ${counts.resealed} resealed, ${counts.current} current already, ${counts.unreadable} unreadable`,
    )
  },
}
