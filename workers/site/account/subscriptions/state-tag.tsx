import type { StateWords } from './area.ts'

export function StateTag({ label, tone }: StateWords) {
  return <span class={`tag ${tone}`}>{label}</span>
}
