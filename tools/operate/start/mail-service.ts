import { Response as MiniflareResponse } from 'miniflare'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { LOCAL_MAIL } from '../../../workers/standalone/local/order.ts'

/** How long a mail server may take to answer. */
const TIMEOUT_MS = 15_000

type MailHandler = (request: { json(): Promise<unknown> }) => Promise<MiniflareResponse>

/**
 * What sends the Worker's mails by SMTP, through a server of the operator's: `smtp://user:password@host:587`
 * (STARTTLS where the server has it) or `smtps://…:465`.
 */
export function mailService(url: string): Record<string, MailHandler> {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  return {
    [LOCAL_MAIL]: async (request) => {
      try {
        await transport.sendMail((await request.json()) as SendMailOptions)
        return new MiniflareResponse(null, { status: 204 })
      } catch (error) {
        // The code alone: a message may hold the address of the receiver.
        const code = (error as { code?: string }).code ?? 'failed'
        return new MiniflareResponse(code, { status: 502 })
      }
    },
  }
}
