import { Command } from '@commander-js/extra-typings'
import { ApiError, createClient, type RecordReport } from '../../../clients/javascript/index.ts'
import { isDay } from '../../../shared/argentine-time.ts'
import { each } from '../../support/arguments.ts'
import { findRunning } from '../local/running.ts'
import { AdminError, commandOfService, type ServiceContext } from './command.ts'

export const recordVerify = commandOfService(
  new Command('record verify')
    .summary('Walks the signed manifests of a service, and says from when to when they hold.')
    .description(
      'Walks the signed manifests of a service from the last to the first, checks the files of the last ' +
        'night, and says from when to when they hold and which days were rewritten with which reason. It ' +
        'needs the address alone; without one it asks the service that runs on the state. Status 1 when ' +
        'anything does not hold.',
    )
    .argument('[URL]')
    .option(
      '--key <KID>',
      'a key to believe (repeatable); without it, any that is listed',
      each(String),
      [],
    )
    .option('--since <DAY>', 'walks back to this Argentine day alone', day)
    .option('--day <DAY>', 'checks the file of this day too (repeatable)', each(day), []),
  async ([url], context, { key, since, day }) => {
    const baseUrl = url ?? (await addressOf(context))
    const keys = key.length > 0 ? key : undefined
    const report = await createClient({ baseUrl })
      .verifyRecord({ keys, since, days: day })
      .catch((error: unknown) => {
        throw noAnswer(baseUrl, error)
      })
    for (const line of linesOf(report)) context.print(line)
    if (!report.holds) throw new AdminError('the record does not hold')
  },
)

function noAnswer(baseUrl: string, error: unknown): AdminError {
  if (error instanceof ApiError)
    return new AdminError(`${baseUrl} answers ${error.status}: ${error.message}`)
  return new AdminError(`${baseUrl} has no record to read: ${(error as Error).message}`)
}

async function addressOf({ stateDir }: ServiceContext): Promise<string> {
  const running = await findRunning(stateDir)
  if (!running) throw new AdminError(`no service runs on ${stateDir}: give the address of one`)
  return running.url
}

function linesOf(report: RecordReport): string[] {
  const { from, to, manifests, unsigned, keys, rewritten, problems } = report
  return [
    from === null
      ? 'holds for no day'
      : `holds from ${from} to ${to}: ${manifests} manifests, ${unsigned} of them not signed`,
    ...keys.map((kid) => `signed by ${kid}`),
    ...rewritten.map(
      ({ from, to, reasons, manifest }) =>
        `rewritten: ${from === to ? from : `${from} to ${to}`}, told by ${manifest}: ${reasons.join('; ') || 'an import, no reason'}`,
    ),
    ...problems.map(({ kind, name }) => `FALSE ${kind.replaceAll('_', ' ')}: ${name}`),
  ]
}

function day(text: string): string {
  if (!isDay(text)) throw new AdminError('--since and --day are days as 2025-03-31')
  return text
}
