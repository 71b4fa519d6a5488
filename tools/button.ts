/** `npm run button`: the branch that Cloudflare's deploy button takes. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { flatten, withDeployScript } from './button/flatten.ts'
import { CommandError, readArguments, runCommand, UsageError } from './harness/arguments.ts'

const USAGE = `npm run button -- --out DIR

  Writes what the deploy button takes into an empty folder: the committed files, with wrangler.toml as
  one Worker (standalone) and a deploy script that migrates first. docs/deploy.md says what to do
  with it.`

await runCommand(USAGE, (args) => {
  const { values } = readArguments(args, { out: { type: 'string' } })
  if (!values.out) throw new UsageError('--out needs a folder')
  const out = resolve(values.out)
  if (existsSync(out) && readdirSync(out).length > 0) throw new CommandError(`${out} is not empty`)

  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  for (const file of files.filter((file) => file !== '' && !file.startsWith('test/'))) {
    mkdirSync(dirname(join(out, file)), { recursive: true })
    cpSync(file, join(out, file))
  }
  rewrite(join(out, 'wrangler.toml'), (text) => flatten(text, 'standalone'))
  rewrite(join(out, 'package.json'), withDeployScript)
  console.log(`written ${out}`)
})

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
