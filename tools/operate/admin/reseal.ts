import { Command } from '@commander-js/extra-typings'
import { resealSubscriptions } from '../../../shared/subscriptions/reseal.ts'
import { adminCommand } from './command.ts'
import { requireKeyring } from './keyring.ts'

export const command = adminCommand(
  new Command('reseal')
    .summary('Seals every webhook’s secrets with the current key-encryption secret.')
    .description(
      'Seals every webhook’s secrets with the current key-encryption secret. Put a new secret first ' +
        'in KEY_ENCRYPTION_KEYS, deploy, run this, then retire the old one. With --remote, give ' +
        'KEY_ENCRYPTION_KEYS in the environment: it cannot be read back.',
    ),
  async (_, context) => {
    const counts = await resealSubscriptions(context.db, requireKeyring(context), (done) =>
      context.warn(`${done} webhooks looked at`),
    )
    context.print(
      `webhooks: ${counts.resealed} resealed, ${counts.current} current already, ${counts.unreadable} unreadable`,
    )
  },
)
