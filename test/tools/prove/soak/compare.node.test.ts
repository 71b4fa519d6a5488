import { expect, it } from 'vitest'
import { compare, type Seen, type StoredDelivery } from '../../../../tools/prove/soak/compare.ts'
import type { Post } from '../../../../tools/prove/soak/posts.ts'

const delivery = (id: number, changes: Partial<StoredDelivery> = {}): StoredDelivery => ({
  id,
  deliveryId: `d${id}`,
  webhookId: 'w',
  type: 'automatic',
  status: 'delivered',
  attempts: 1,
  ...changes,
})

const post = (deliveryId: string, at: number, changes: Partial<Post> = {}): Post => ({
  deliveryId,
  webhookId: 'w',
  headers: {},
  startedAt: at,
  endedAt: at + 10,
  confirmed: true,
  body: 'body',
  ...changes,
})

/** One delivered at once, one after a failure, one test, one that a kill sent twice. */
const SOUND: Seen = {
  deliveries: [
    delivery(1),
    delivery(2, { attempts: 2 }),
    delivery(3, { type: 'manual' }),
    delivery(4, { attempts: 3 }),
    delivery(5, { status: 'cancelled', attempts: 0 }),
  ],
  posts: [
    post('d1', 0),
    post('d2', 1000, { confirmed: false }),
    post('d3', 1005),
    post('d2', 2000),
    post('d4', 3000),
    post('d4', 4000),
  ],
  // Of its three attempts one confirmed and one never left: both were cut.
  cut: [['d4'], ['d4']],
  accepted: ['d3'],
}

const broken = (seen: Seen) =>
  compare(seen).flatMap(({ name, broken }) => (broken.length > 0 ? [name] : []))

it('finds nothing wrong with what at-least-once allows', () => {
  expect(broken(SOUND)).toEqual([])
})

it.each<[string, Partial<Seen>]>([
  [
    'every accepted delivery ended',
    { deliveries: [delivery(9, { status: 'failed', attempts: 0 })] },
  ],
  ['every accepted test is a delivery', { accepted: ['gone'] }],
  [
    'every POST is of a stored delivery and its webhook',
    { posts: [post('d1', 0, { webhookId: 'v' })] },
  ],
  ['no delivery has more POSTs than attempts', { posts: [...SOUND.posts, post('d1', 5000)] }],
  ['an attempt without a POST was cut by a kill', { cut: [] }],
  [
    'every delivered one was confirmed by its receiver',
    { posts: [post('d1', 0, { confirmed: false })] },
  ],
  [
    'a confirmed one came again, or did not count, only after a kill',
    { cut: [['d4']], deliveries: [delivery(1, { status: 'dead' })] },
  ],
  [
    'every attempt of a delivery has the same body',
    { posts: [post('d2', 0), post('d2', 50, { body: 'another' })] },
  ],
  ['each webhook’s POSTs came in order', { posts: [post('d2', 0), post('d1', 500)] }],
  [
    'no webhook had two POSTs at once',
    { posts: [post('d1', 0, { endedAt: 9000 }), post('d2', 500)] },
  ],
])('names “%s” when it is broken', (name, changes) => {
  expect(broken({ ...SOUND, ...changes })).toContain(name)
})
