/** `npm run licences`: the licences of what production depends on. */
import { Command } from '@commander-js/extra-typings'
import { runCommand } from '../support/arguments.ts'
import { productionLicences } from './supply-chain/licences.ts'
import { readLock } from './supply-chain/lock.ts'

const command = new Command('npm run licences --')
  .description('counts the licences, and ends with 1 when one is not among those allowed')
  .option('--all', 'one line a package')

command.action((options) => {
  const licensed = productionLicences(readLock())
  const refused = licensed.filter(({ isAllowed }) => !isAllowed)

  if (options.all) {
    for (const { name, version, licence } of licensed) console.log(`${licence}  ${name}@${version}`)
  } else {
    const byLicence = Map.groupBy(licensed, ({ licence }) => licence)
    for (const [licence, packages] of [...byLicence].toSorted(
      ([, a], [, b]) => b.length - a.length,
    ))
      console.log(`${String(packages.length).padStart(4)}  ${licence || '(none said)'}`)
    console.log(`${String(licensed.length).padStart(4)}  packages`)
  }
  for (const { name, version, licence } of refused)
    console.error(`not allowed: ${name}@${version} (${licence || 'no licence said'})`)
  if (refused.length > 0) process.exitCode = 1
})
await runCommand(command)
