/** `npm run button`: the branch that Cloudflare's deploy button takes. */
import { Command } from '@commander-js/extra-typings'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { flatten, withDeployScript } from './button/flatten.ts'
import { CommandError, runCommand } from './harness/arguments.ts'

const command = new Command('npm run button --')
  .description(
    'Writes what the deploy button takes into an empty folder: the committed files, with ' +
      'wrangler.toml as one Worker (standalone) and a deploy script that migrates first. ' +
      'docs/deploy.md says what to do with it.',
  )
  .requiredOption('--out <DIR>', 'the folder')

command.action((values) => {
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
await runCommand(command)

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
