/**
 * `npm run verify -- URL`: asks a running service, deployed or local, everything that can be asked
 * from outside without harm. docs/deploy.md tells what is asked.
 */
import { Command } from '@commander-js/extra-typings'
import { runCommand, UsageError, whole } from '../support/arguments.ts'
import { reportOn } from './verify/verify.ts'

const command = new Command('npm run verify --')
  .argument('<URL>')
  .option(
    '--key <KEY>',
    "an API key: history, webhooks and quotas are asked as well; one of its own, for its minute's quota is used up",
  )
  .addOption(
    whole(
      '--wait <SECONDS>',
      'how long a fresh deployment may take until it has quotes',
      0,
      99_999,
    ).default(0),
  )

command.action(async (url, { key, wait }) => {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`${url} is no http or https URL`)
  const service = { url, key, waitSeconds: wait }
  const holds = await reportOn(service, (line) => console.log(line))
  process.exitCode = holds ? 0 : 1
})
await runCommand(command)
