import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { listen, type Listening } from '../../tools/support/listen.ts'

export interface SmtpStub extends Listening {
  /** Each message as it came, heads and body. */
  messages: string[]
}

/** A mail server that takes every message and delivers none. */
export async function openSmtpStub(): Promise<SmtpStub> {
  const messages: string[] = []
  const server = createServer((socket) => {
    let message: string[] | null = null
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 stub')
    createInterface({ input: socket }).on('line', (line) => {
      if (message && line !== '.') return void message.push(line)
      if (message) {
        messages.push(message.join('\n'))
        message = null
        return say('250 taken')
      }
      if (/^DATA/i.test(line)) message = []
      if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else say(message ? '354 go on' : '250 ok')
    })
    socket.on('error', () => {})
  })
  return { ...(await listen(server)), messages }
}
