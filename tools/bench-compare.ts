/** `npm run bench:compare`: what changed between two reports of `npm run bench -- --json`. */
import { readFileSync } from 'node:fs'
import { type BenchReport, compareReports } from './bench/compare.ts'
import { readArguments, runCommand, UsageError } from './harness/arguments.ts'

const USAGE = `npm run bench:compare -- BEFORE.json AFTER.json

  Prints the figures that changed, as Markdown.`

await runCommand(USAGE, (args) => {
  const { positionals } = readArguments(args, {}, { allowPositionals: true })
  const [before, after, ...more] = positionals
  if (!before || !after || more.length > 0) throw new UsageError('which two reports?')
  console.log(compareReports(read(before), read(after)))
})

function read(file: string): BenchReport {
  return JSON.parse(readFileSync(file, 'utf8')) as BenchReport
}
