import { expect, it } from 'vitest'
import { readAnswer } from '../../../../tools/prove/fuzz/wire/read-answer.ts'

const read = (text: string, method = 'GET', ended = false) =>
  readAnswer(Buffer.from(text), method, ended)

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'

it('reads a body of the length that is told, and leaves what follows', () => {
  const result = read(`${HEAD}Content-Length: 2\r\n\r\nholaHTTP`)
  expect(result).toMatchObject({ state: 'whole', rest: Buffer.from('laHTTP') })
})

it('reads a body in chunks', () => {
  const result = read(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nho\r\n2\r\nla\r\n0\r\n\r\n`)
  expect(result).toMatchObject({ answer: { body: Buffer.from('hola') }, rest: Buffer.alloc(0) })
})

it.each([
  ['within the head', HEAD],
  ['within the body', `${HEAD}Content-Length: 4\r\n\r\nho`],
  ['within a chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\nho`],
])('waits for more, and takes an end there for broken: %s', (_, text) => {
  expect(read(text).state).toBe('more')
  expect(read(text, 'GET', true).state).toBe('broken')
})

it('takes a body after HEAD, 204 and 304 for what it is: bytes too many', () => {
  const bytes = Buffer.from('hola')
  expect(read(`${HEAD}Content-Length: 4\r\n\r\nhola`, 'HEAD')).toMatchObject({ rest: bytes })
  for (const status of ['204 No Content', '304 Not Modified'])
    expect(read(`HTTP/1.1 ${status}\r\n\r\nhola`)).toMatchObject({ rest: bytes })
})

it('skips what comes before the answer, and refuses what is none', () => {
  expect(read(`HTTP/1.1 100 Continue\r\n\r\n${HEAD}Content-Length: 0\r\n\r\n`)).toMatchObject({
    answer: { status: 200 },
  })
  expect(read('hola\r\n\r\n').state).toBe('broken')
})

it('takes a stream of events for whole with its head', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked'
  expect(read(`${head}\r\n\r\n5\r\nretry`)).toMatchObject({ state: 'whole' })
})
