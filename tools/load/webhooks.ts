import { fire } from './fire.ts'
import type { Load } from './load.ts'
import { seedKeys } from './seed-keys.ts'
import { openService } from './service.ts'
import { Tally } from './tally.ts'
import { lifeOf } from './webhook-life.ts'

const CONNECTIONS = 8
/** Each manages one webhook's life at a time, of twelve requests; 30 a minute are a key's quota. */
const KEYS = 4000
const NAME = 'hook.example.com'

export const webhooks: Load = {
  name: 'webhooks',
  summary:
    `webhooks made, listed, read, edited, paused, activated, tested, rotated and deleted, from ` +
    `${CONNECTIONS} connections`,
  async run({ seconds }) {
    let keys: string[] = []
    await using service = await openService({
      args: ['--demo', '--var', 'DAILY_PRIVATE_BUDGET=1000000000'],
      names: [NAME],
      seed: async (db) => {
        keys = await seedKeys(db, KEYS)
      },
    })
    const tally = new Tally()
    let next = 0
    const requests = lifeOf({ key: () => keys[next++ % KEYS]!, host: NAME, tally })
    const result = await service.underLoad(seconds, (seconds) =>
      fire({ url: service.url, seconds, connections: CONNECTIONS, requests, tally }),
    )
    const arrived = (await service.arrivals()).length
    const problems = arrived === 0 ? ['nothing arrived at the receiver'] : []
    return {
      ...result,
      problems: [...result.problems, ...problems],
      remarks: [`${next} webhooks, ${arrived} deliveries arrived meanwhile`],
    }
  },
}
