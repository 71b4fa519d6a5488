export interface Mail {
  to: string
  subject: string
  text: string
}

/** Hands one e-mail over; rejects when it was not taken. */
export type SendMail = (mail: Mail) => Promise<unknown>

/** Sends through the platform's e-mail binding, or one of its form, as mail that no person wrote. */
export function mailThrough(binding: SendEmail, from: string): SendMail {
  // RFC 3834: auto-replies are not sent to it.
  const headers = { 'Auto-Submitted': 'auto-generated' }
  return (mail) => binding.send({ from, ...mail, headers })
}

/**
 * The address as accounts store it, or null when it is not one. Only an e-mail proves that it
 * exists.
 */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u.test(email)
    ? email
    : null
}
