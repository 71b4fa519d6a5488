/** A refusal of the domain is a value, not an exception. One table maps it to HTTP. */
export type Result<Value, Refusal> = { ok: true; value: Value } | { ok: false; refusal: Refusal }

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value }
}

export function refuse<Refusal>(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal }
}

/** A refused request, with the reason in Spanish for the client. */
export interface RefusedInput {
  reason: string
}
