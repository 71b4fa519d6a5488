import { Command } from '@commander-js/extra-typings'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import { replacedRates } from '../import/invoicing.ts'
import { run } from './command.ts'

export const invoicingCommand = new Command('invoicing')
  .description(
    'Lists the invoicing rates that an import replaced, newest first, as a CSV. To restore some, ' +
      'import a file with its first line and their rows.',
  )
  .action(
    run(async ({ db, print }) => {
      print('date,currency,buy,sell,units,source,replaced')
      for (const { day, currency, buy, sell, units, source, madeAt } of await replacedRates(db))
        print([day, currency, buy, sell, units, source, formatArgentine(madeAt)].join(','))
    }),
  )
