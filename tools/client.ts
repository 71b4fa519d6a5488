/** `npm run client`: makes the package of the client, and checks it as a stranger would get it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildClient } from './client/build.ts'
import { clientProblems, packClient } from './client/check.ts'
import { writeSiteClient } from './client/site-copy.ts'
import { readArguments, runCommand, UsageError } from './harness/arguments.ts'

const USAGE = `npm run client -- COMMAND

  build [--out dist/client]   makes the package in a folder, ready for npm publish
  check                       makes it, packs it, and asks publint, arethetypeswrong and its size
  site                        writes the copy that the site's pages load`

const COMMANDS: Record<string, (out: string) => Promise<void>> = {
  async build(out) {
    await buildClient(out)
    console.log(`package in ${out}`)
  },
  async check() {
    const folder = mkdtempSync(join(tmpdir(), 'cotizaciones-client-'))
    try {
      const staged = join(folder, 'package')
      await buildClient(staged)
      const problems = await clientProblems(staged, packClient(staged, folder))
      for (const problem of problems) console.error(problem)
      if (problems.length === 0) console.log('the package is as it should be')
      process.exitCode = problems.length === 0 ? 0 : 1
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  async site() {
    console.log(`written ${await writeSiteClient()}`)
  },
}

await runCommand(USAGE, async (args) => {
  const { values, positionals } = readArguments(
    args,
    { out: { type: 'string', default: 'dist/client' } },
    { allowPositionals: true },
  )
  const command = positionals.length === 1 ? COMMANDS[positionals[0]!] : undefined
  if (!command) throw new UsageError('which command?')
  await command(resolve(values.out))
})
