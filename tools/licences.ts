/** `npm run licences`: the licences of what production depends on. */
import { readArguments, runCommand } from './harness/arguments.ts'
import { productionLicences } from './supply-chain/licences.ts'
import { readLock } from './supply-chain/lock.ts'

const USAGE = `npm run licences -- [--all]

  Counts the licences, and ends with 1 when one is not among those allowed.

  --all   one line a package`

await runCommand(USAGE, (args) => {
  const { values: options } = readArguments(args, { all: { type: 'boolean' } })
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
