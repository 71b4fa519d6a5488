import { Command } from '@commander-js/extra-typings'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import { replacedRates } from '../import/invoicing.ts'
import { run } from './command.ts'

export const invoicingCommand = new Command('invoicing')
  .description(
    'Lists the invoicing rates that an import replaced, newest first, as a CSV. To restore rates, ' +
      'import a file with the first line and the rows of these rates.',
  )
  .action(
    run(async ({ db, print }) => {
      print('date,currency,buy,sell,units,source,replaced')
      for (const { day, currency, buy, sell, units, source, madeAt } of await replacedRates(db))
        print([day, currency, buy, sell, units, source, formatArgentine(madeAt)].join(','))
    }),
  )
