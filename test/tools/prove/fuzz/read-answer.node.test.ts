import { expect, it } from 'vitest'
import { readAnswer } from '../../../../tools/prove/fuzz/wire/read-answer.ts'

const read = (text: string, method = 'GET') => readAnswer(Buffer.from(text), method)

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`

it.each([
  ['of the announced length', `${HEAD}Content-Length: 4\r\n\r\nhola`],
  ['in chunks', `${CHUNKED}2\r\nho\r\n2\r\nla\r\n0\r\n\r\n`],
  ['up to the end', `${HEAD}\r\nhola`],
])('reads a body %s', (_, text) => {
  expect(read(text)).toMatchObject({ status: 200, body: Buffer.from('hola') })
})

it.each([
  ['an end within the head', HEAD],
  ['an end within the body', `${HEAD}Content-Length: 4\r\n\r\nho`],
  ['an end within a chunk', `${CHUNKED}4\r\nho`],
  ['bytes after the body', `${HEAD}Content-Length: 2\r\n\r\nhola`],
  ['bytes after the last chunk', `${CHUNKED}0\r\n\r\nhola`],
  ['a body of a 204', 'HTTP/1.1 204 No Content\r\n\r\nhola'],
  ['no status line', 'hola\r\n\r\n'],
])('refuses %s', (_, text) => {
  expect(() => read(text)).toThrow()
})

it('refuses a body of a HEAD', () => {
  expect(read(`${HEAD}Content-Length: 4\r\n\r\n`, 'HEAD')).toMatchObject({ status: 200 })
  expect(() => read(`${HEAD}Content-Length: 4\r\n\r\nhola`, 'HEAD')).toThrow()
})

it('skips what comes before the answer', () => {
  const text = `HTTP/1.1 100 Continue\r\n\r\n${HEAD}Content-Length: 0\r\n\r\n`
  expect(read(text)).toMatchObject({ status: 200 })
})
