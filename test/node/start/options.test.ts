import { expect, it } from 'vitest'
import { readOptions } from '../../../tools/start/options.ts'

it('has a value for every option that is not given', () => {
  expect(readOptions([])).toEqual({
    port: 8787,
    stateDir: '.state',
    backfill: true,
    everySeconds: 300,
    demo: false,
    seed: 1,
    upstream: null,
    receivers: {},
    vars: {},
  })
})

it('reads repeated receivers and variables', () => {
  const args = ['--receiver', 'A.example=127.0.0.1:9', '--receiver', 'b.example=127.0.0.2:10']
  expect(readOptions([...args, '--var', 'X=1=2', '--var', 'EMPTY='])).toMatchObject({
    receivers: { 'a.example': '127.0.0.1:9', 'b.example': '127.0.0.2:10' },
    vars: { X: '1=2', EMPTY: '' },
  })
})

it.each([
  [['--nonsense'], "Unknown option '--nonsense'"],
  [['word'], "Unexpected argument 'word'"],
  [['--port', 'x'], '--port must be a whole number from 0 to 65535'],
  [['--port', '70000'], '--port must be'],
  [['--every', '0'], '--every must be a whole number from 1'],
  [['--every', '1.5'], '--every must be'],
  [['--state', ''], '--state needs a folder'],
  [['--demo', '--upstream', 'http://127.0.0.1:1'], '--demo and --upstream exclude each other'],
  [['--upstream', 'ftp://x'], '--upstream needs an http or https URL'],
  [['--upstream', 'http://x/?a=b'], '--upstream needs an http or https URL'],
  [['--receiver', 'a.example=10.0.0.1:443'], '--receiver needs NAME=127.0.0.1:PORT'],
  [['--receiver', 'a.example=127.0.0.1:0'], '--receiver needs'],
  [['--receiver', 'a.example'], '--receiver needs'],
  [['--var', 'x'], '--var needs NAME=VALUE'],
])('refuses %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})
