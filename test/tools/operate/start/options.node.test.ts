import { expect, it, vi } from 'vitest'
import { quiet } from '../../../../tools/support/arguments.ts'
import { command, optionsOf } from '../../../../tools/operate/start/options.ts'

quiet(command)
const readOptions = (args: readonly string[]) =>
  optionsOf(command.parse(args, { from: 'user' }).opts())

it('has a value for every option that is not given', () => {
  expect(readOptions([])).toEqual({
    host: '127.0.0.1',
    port: 8787,
    stateDir: '.state',
    isPlain: true,
    backfill: true,
    everySeconds: 300,
    demo: false,
    upstream: null,
    receivers: {},
    mailTransport: null,
    vars: {},
  })
})

it('reads repeated receivers and variables', () => {
  const args = ['--receiver', 'A.example=127.0.0.1:9', '--receiver', 'b.example=127.0.0.2:10']
  expect(readOptions([...args, '--var', 'X=1=2', '--var', 'EMPTY='])).toMatchObject({
    receivers: {
      'a.example': { address: '127.0.0.1', port: 9 },
      'b.example': { address: '127.0.0.2', port: 10 },
    },
    vars: { X: '1=2', EMPTY: '' },
    // A start with a public origin gets no simulated prices unless requested.
    isPlain: false,
  })
})

it('takes the mail server from the variables, with a sender', () => {
  const sender = ['--var', 'MAIL_FROM=a@b.example']
  const url = 'smtp://user:pass@mail.example:587'
  expect(readOptions([...sender, '--var', `MAIL_TRANSPORT=${url}`])).toMatchObject({
    mailTransport: url,
    vars: { MAIL_FROM: 'a@b.example' },
  })
})

it('reads the environment only with --env, and prefers --var', () => {
  vi.stubEnv('TARJETA_RATE', '0.25')
  vi.stubEnv('MAIL_FROM', '')
  expect(readOptions([]).vars).toEqual({})
  expect(readOptions(['--env'])).toMatchObject({ isPlain: false, vars: { TARJETA_RATE: '0.25' } })
  expect(readOptions(['--env', '--var', 'TARJETA_RATE=0.1']).vars).toEqual({ TARJETA_RATE: '0.1' })
  vi.unstubAllEnvs()
})

it.each([
  [['--host', 'localhost'], '--host needs an IP address'],
  [['--var', 'MAIL_TRANSPORT=http://x'], 'MAIL_TRANSPORT must be an smtp or smtps URL'],
  [['--var', 'MAIL_TRANSPORT=smtp://x'], 'MAIL_TRANSPORT needs MAIL_FROM'],
  [['word'], 'too many arguments'],
  [['--port', 'x'], '--port must be a whole number from 0 to 65535'],
  [['--every', '0'], '--every must be a whole number from 1'],
  [['--state', ''], '--state needs a folder'],
  [['--demo', '--upstream', 'http://127.0.0.1:1'], '--demo and --upstream exclude each other'],
  [['--upstream', 'http://x/?a=b'], '--upstream needs an http or https URL'],
  [['--receiver', 'a.example=10.0.0.1:443'], '--receiver needs NAME=127.0.0.1:PORT'],
  [['--receiver', 'a.example=127.0.0.1:0'], '--receiver needs'],
  [['--var', 'x'], '--var needs NAME=VALUE'],
])('refuses %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})
