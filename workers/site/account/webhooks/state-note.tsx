import type { Webhook } from '../../../../shared/webhooks/webhook.ts'
import { owedWords, stateWords } from './state-words.ts'

export function StateTag({ webhook }: { webhook: Webhook }) {
  const { label, tone } = stateWords(webhook)
  return <span class={`tag ${tone}`}>{label}</span>
}

/** Why the webhook is as it is, and what to do. */
export function StateNote({ webhook }: { webhook: Webhook }) {
  const owed = owedWords(webhook)

  return (
    <p class="state-note">
      {stateWords(webhook).text}
      {owed && ` ${owed}`}
    </p>
  )
}
