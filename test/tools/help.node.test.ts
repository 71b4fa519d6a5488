import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const run = promisify(execFile)
const tools = Object.entries<string>(manifest.scripts).flatMap(([script, command]) =>
  (command.match(/tools\/\S+\.ts$/) ?? []).map((tool) => [script, tool] as const),
)

it('finds the tools behind npm scripts', () => expect(tools.length).toBeGreaterThan(12))

/** With these options Node refuses to write files and to start processes. */
const READ_ONLY = ['--permission', '--allow-addons', '--allow-fs-read=*']

it.concurrent.each(tools)(
  'npm run %s -- --help prints its usage and does nothing',
  async (script, tool) => {
    const { stdout } = await run(process.execPath, [...READ_ONLY, tool, '--help'])
    const name = ['start', 'test'].includes(script) ? script : `run ${script}`
    expect(stdout).toMatch(new RegExp(`^Usage: npm ${name} -- `))
  },
)

it.each(['install', 'site-assets'])('%s.mjs --help does nothing either', async (name) => {
  const tool = `tools/maintain/${name}.mjs`
  const { stdout } = await run(process.execPath, [...READ_ONLY, tool, '--help'])
  expect(stdout).toMatch(new RegExp(`^Usage: node ${tool} `))
})
