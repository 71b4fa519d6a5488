import type { CycleReport } from '../../workers/scraper/cycle.ts'
import {
  CONTROL_PATH,
  type CycleOrder,
  TOKEN_HEADER,
} from '../../workers/standalone/local/order.ts'

/** Says "now" to a running service. */
export interface Control {
  cycle(order: CycleOrder): Promise<CycleReport>
  sweep(): Promise<void>
}

export function createControl({ url, token }: { url: string; token: string }): Control {
  async function ask<Answer>(what: string, body: unknown): Promise<Answer> {
    const response = await fetch(`${url}${CONTROL_PATH}${what}`, {
      method: 'POST',
      headers: { [TOKEN_HEADER]: token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`the ${what} answered ${response.status}`)
    return (await response.json()) as Answer
  }

  return {
    cycle: (order) => ask('cycle', order),
    sweep: () => ask('sweep', {}),
  }
}
