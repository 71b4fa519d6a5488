import { CURRENT_PATHS } from '../../workers/edge/current/current-read.ts'
import { fire } from './fire.ts'
import type { Load } from './load.ts'
import { openService } from './service.ts'
import { requestsOf } from './shots.ts'
import { Tally } from './tally.ts'

const CONNECTIONS = 16

export const current: Load = {
  name: 'current',
  summary: `every current read in turn, v2 and v1, from ${CONNECTIONS} connections`,
  async run({ seconds }) {
    await using service = await openService()
    const tally = new Tally()
    const requests = requestsOf(
      [...CURRENT_PATHS].map((path) => ({ path })),
      tally,
    )
    return await service.underLoad(seconds, (seconds) =>
      fire({ url: service.url, seconds, connections: CONNECTIONS, requests, tally }),
    )
  },
}
