import { Command } from '@commander-js/extra-typings'
import { expect, it } from 'vitest'
import { readInvocation } from '../../../../tools/operate/admin/arguments.ts'
import { adminCommand } from '../../../../tools/operate/admin/command.ts'

const command = (name: string) => adminCommand(new Command(name), async () => {})
const key = command('key')
const keyCreate = command('key create')
const commands = [key, keyCreate]

it('reads the options wherever they stand and leaves the rest to the command', () => {
  expect(readInvocation(['--state', 'x', 'key', 'create', 'a@b', 'n'], commands)).toEqual({
    kind: 'run',
    command: keyCreate,
    args: ['a@b', 'n'],
    remote: false,
    suffix: '',
    stateDir: 'x',
  })
  expect(readInvocation(['key', '--state=y', 'z'], commands)).toMatchObject({
    command: key,
    args: ['z'],
    stateDir: 'y',
  })
  expect(readInvocation(['key', '--remote'], commands)).toMatchObject({ remote: true })
  expect(readInvocation(['key', '--remote', '--suffix', 'staging'], commands)).toMatchObject({
    remote: true,
    suffix: 'staging',
  })
})

it('takes everything after -- as arguments', () => {
  expect(readInvocation(['key', '--', '--help'], commands)).toMatchObject({
    kind: 'run',
    args: ['--', '--help'],
  })
})

it.each([[[]], [['--help']], [['help']]])('answers %j with the help of all', (argv) => {
  expect(readInvocation(argv, commands)).toEqual({ kind: 'help', command: null })
})

it('gives the help of one command', () => {
  expect(readInvocation(['key', 'create', '--help'], commands)).toEqual({
    kind: 'help',
    command: keyCreate,
  })
})

it.each([
  [['nonsense', 'now'], "unknown command 'nonsense now': see --help"],
  [['nonsense', '--help'], "unknown command 'nonsense': see --help"],
  [['key', '--state'], "option '--state <DIR>' argument missing"],
  [['key', '--state='], '--state needs a folder'],
  [['key', '--state', 'x', '--remote'], '--state and --remote exclude each other'],
])('refuses %j', (argv, message) => {
  expect(() => readInvocation(argv, commands)).toThrow(message)
})
