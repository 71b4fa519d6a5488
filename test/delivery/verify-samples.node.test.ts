import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../tools/support/scratch.ts'
import { signStandard } from '../../workers/delivery/attempt/headers.ts'
import * as samples from '../../workers/site/reference/guides/verify-samples.ts'
import { standardSecret } from '../../shared/webhooks/webhook.ts'

const SECRET = '0123456789abcdef'.repeat(4)
const AT = '1700000000'

interface Sample {
  code: string
  command: string
  file: string
  around(code: string): string
}

/** Runs a sample's function over cases; prints 1 or 0 for each. */
const programs: Record<string, Sample> = {
  TypeScript: {
    code: samples.typescript,
    command: 'node',
    file: 'verify.ts',
    around: (code) => `${code}
      const [, , secret, id, at, ...pairs] = process.argv
      for (let i = 0; i < pairs.length; i += 2)
        console.log(Number(verify(secret!, id!, at!, Buffer.from(pairs[i]!), pairs[i + 1]!, Number(at))))`,
  },
  Python: {
    code: samples.python,
    command: 'python3',
    file: 'verify.py',
    around: (code) => `${code}
import sys
secret, id, at, *pairs = sys.argv[1:]
for body, signature in zip(pairs[::2], pairs[1::2]):
    print(int(verify(secret, id, at, body.encode(), signature, int(at))))`,
  },
  PHP: {
    code: samples.php,
    command: 'php',
    file: 'verify.php',
    around: (code) => `${code}
[, $secret, $id, $at] = $argv;
for ($i = 4; $i < $argc; $i += 2) echo (int) verify($secret, $id, $at, $argv[$i], $argv[$i + 1], (int) $at), "\\n";`,
  },
  Go: {
    code: samples.go,
    command: 'go',
    file: 'main.go',
    around: (code) => `${code
      .replace('package webhook', 'package main')
      .replace('"strconv"', '"fmt"\n\t"os"\n\t"strconv"')}
func main() {
	at, _ := strconv.ParseInt(os.Args[3], 10, 64)
	for i := 4; i < len(os.Args); i += 2 {
		if Verify(os.Args[1], os.Args[2], os.Args[3], []byte(os.Args[i]), os.Args[i+1], time.Unix(at, 0)) {
			fmt.Println(1)
		} else {
			fmt.Println(0)
		}
	}
}`,
  },
}

/** Runs the sample's lines for a library on a delivery; prints the event that it finds. */
const libraries: Record<string, Sample> = {
  ts: {
    code: samples.standardTypescript,
    command: 'node',
    file: 'library.ts',
    around: (code) => `const rawBody = process.argv[2]!
      const headers = JSON.parse(process.argv[3]!)
      ${code}
      console.log((event as { event: string }).event)`,
  },
  python: {
    code: samples.standardPython,
    command: 'python3',
    file: 'library.py',
    around: (code) => `import json, os, sys
raw_body, headers = sys.argv[1], json.loads(sys.argv[2])
${code}
print(event["event"])`,
  },
}

const all = process.env['SAMPLES'] === 'all'

/** `npm run test:samples` demands every language; `npm test` runs those that this machine has. */
const languages = Object.keys(programs).filter((language) => all || isHere(programs[language]!))

it.each(languages)('the sample in %s accepts the known answers and nothing else', (language) => {
  const program = programs[language]!
  expect(isHere(program), `${program.command} is not on the path`).toBe(true)
  const [[body, signature], [other, another]] = samples.knownAnswers
  const cases = [body, signature, other, another, body, another, `${body} `, signature]
  const judged = (id: string) =>
    run(program, [SECRET, id, AT, ...cases])
      .stdout.trim()
      .split('\n')
  expect(judged(samples.KNOWN_ID)).toEqual(['1', '1', '0', '0'])
  expect(judged('another')).toEqual(['0', '0', '0', '0'])
})

/** The Python library is no dependency of ours, so its lines run only where it is installed. */
const hasPython = () => spawnSync('python3', ['-c', 'import standardwebhooks']).status === 0
const installed = Object.keys(libraries).filter((name) => name === 'ts' || all || hasPython())

it.each(installed)(
  'the lines for the library (%s) accept a delivery, and refuse another id',
  async (name) => {
    const [[body]] = samples.knownAnswers
    const timestamp = Math.floor(Date.now() / 1000)
    const deliveryId = samples.KNOWN_ID
    const headers = {
      'webhook-id': deliveryId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': await signStandard(SECRET, { deliveryId, timestamp }, body),
    }
    const read = (given: object) => run(libraries[name]!, [body, JSON.stringify(given)])

    expect(read(headers)).toMatchObject({ status: 0, stdout: 'rate.updated\n' })
    const forged = read({ ...headers, 'webhook-id': 'another' })
    expect(forged.status).not.toBe(0)
    expect(forged.stderr).toContain('No matching signature')
  },
)

function isHere({ command }: Sample): boolean {
  return spawnSync(command, [command === 'go' ? 'version' : '--version']).status === 0
}

function run({ code, command, file, around }: Sample, args: string[]) {
  const folder = temporaryFolder()
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const path = join(folder, file)
  writeFileSync(path, around(code))
  return spawnSync(command, [...(command === 'go' ? ['run', path] : [path]), ...args], {
    encoding: 'utf8',
    env: { ...process.env, WEBHOOK_SECRET: standardSecret(SECRET) },
  })
}
