import { expect, it } from 'vitest'
import { keepFilesInMemory } from '../../../tools/prove/files-in-memory.ts'

const HERE = process.cwd()

it.each([
  ['go to the folder that has room', {}, HERE, 1, HERE],
  ['stay where a folder has too little room', {}, HERE, Infinity, undefined],
  ['stay where there is no such folder', {}, `${HERE}/nowhere`, 1, undefined],
  ['stay where TMPDIR says', { TMPDIR: '/elsewhere' }, HERE, 1, '/elsewhere'],
])('temporary files %s', (_, env: NodeJS.ProcessEnv, folder, room, expected) => {
  keepFilesInMemory(env, folder, room)

  expect(env['TMPDIR']).toBe(expected)
})
