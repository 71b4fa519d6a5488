import { type Check, keyed, LeftOut, type Scene } from '../check.ts'
import { expectError, parseJson, readJson, that } from '../expect.ts'
import {
  created,
  deleted,
  deliveryPage,
  edited,
  ownWebhook,
  reconciled,
  webhookList,
} from '../forms.ts'
import { bearer } from './keys.ts'

const ALL = '/api/v2/webhooks'
/** Reserved for examples (RFC 2606); a paused webhook sends nothing. */
const URL = 'https://example.com/cotizaciones/verify'

const NO_STORE = { headers: { 'Cache-Control': 'no-store' } }

/**
 * The life of one webhook. It is created paused, so that nothing is ever sent, and deleted in the
 * end whatever came between. It proves the conditional writes: an old version changes nothing, a
 * repeated operation makes no second row, and of two at once one wins.
 */
export function createWebhookChecks(): Check[] {
  let made: { id: string; operationId: string } | undefined

  const life = (name: string, run: (scene: Scene, id: string) => Promise<void>) =>
    keyed(name, async (scene) => {
      if (!made) throw new LeftOut('no webhook was created')
      await run(scene, made.id)
    })

  return [
    keyed('webhooks: bodies that are none, or say too much, are 415 and 400', refuseBodies),
    keyed(
      'webhooks: created paused, with a secret; the operation repeated makes no second one',
      async (scene) => {
        const operationId = scene.newId()
        made = { id: await create(scene, operationId), operationId }
        await repeat(scene, made)
      },
    ),
    life('webhooks: the single read shows the URL, and no secret', async (scene, id) => {
      const { webhook } = await readOne(scene, id)
      that(webhook.url === URL, `the URL reads as another one`)
      that(webhook.id === id && !webhook.enabled, 'it is another webhook, or not paused')
    }),
    life('webhooks: an edit counts the version; an old version is 409 and changes nothing', edit),
    life('webhooks: of two edits of one version at once, one succeeds', race),
    life('deliveries: a page, and 400 for what cannot be asked', async (scene, id) => {
      const path = `${ALL}/deliveries`
      const answer = await send(scene, 'GET', `${path}?webhookId=${id}&limit=1`)
      const { deliveries } = readJson(path, answer, deliveryPage, NO_STORE)
      that(deliveries.length === 0, 'a paused webhook has deliveries')
      const odd = await send(scene, 'GET', `${path}?limit=51`)
      expectError(`${path}?limit=51`, odd, { status: 400 })
    }),
    life('webhooks: an old version deletes nothing, the present one does', remove),
  ]
}

const bodyOf = (operationId: string) => ({
  operationId,
  url: URL,
  currency: 'USD',
  origin: 'OFICIAL',
  enabled: false,
})

async function refuseBodies(scene: Scene) {
  const headers = { ...bearer(scene.key!), 'Content-Type': 'text/plain' }
  const plain = await scene.ask(ALL, { method: 'POST', headers, body: {} })
  expectError('a body of plain text', plain, { status: 415 })
  const odd = await send(scene, 'POST', ALL, { ...bodyOf(scene.newId()), nada: 1 })
  expectError('a body with an unknown field', odd, { status: 400 })
}

/** Creates the webhook and returns its id, without which nothing could delete it. */
async function create(scene: Scene, operationId: string): Promise<string> {
  const answer = await send(scene, 'POST', ALL, bodyOf(operationId))
  refuseCreation(answer)
  return readJson('create', answer, created, { status: 201, ...NO_STORE }).webhook.id
}

async function repeat(scene: Scene, { id, operationId }: { id: string; operationId: string }) {
  const other = { ...bodyOf(operationId), currency: 'EUR' }
  const again = await send(scene, 'POST', ALL, other)
  const same = readJson('the operation repeated', again, reconciled, NO_STORE).webhook
  that(same.id === id, 'the operation repeated is another webhook')
  that(same.currency === 'USD', 'the operation repeated changed the webhook')
  const is = `${same.currency}/${same.origin} ${same.state} ${same.version}`
  that(is === 'USD/OFICIAL manual 1', `it was created as ${is}`)
  that(same.destination === 'https://example.com/***', 'its destination is not masked')
  const all = await listed(scene)
  const count = all.filter((each) => each.operationId === operationId).length
  that(count === 1, `the operation repeated left ${count} webhooks`)
}

async function edit(scene: Scene, id: string) {
  const { version } = (await readOne(scene, id)).webhook
  const answer = await send(scene, 'PATCH', `${ALL}/${id}`, { version, origin: 'BNA' })
  const { webhook } = readJson('an edit', answer, edited, NO_STORE)
  that(webhook.version === version + 1, `an edit of version ${version} gives ${webhook.version}`)
  that(webhook.origin === 'BNA', 'an edit changed nothing')

  const stale = await send(scene, 'PATCH', `${ALL}/${id}`, { version, origin: 'BLUE' })
  expectError('an edit of an old version', stale, { status: 409 })
  const after = (await readOne(scene, id)).webhook
  const is = `${after.origin} ${after.version}`
  that(is === `BNA ${version + 1}`, `after an edit of an old version it is ${is}`)
}

async function remove(scene: Scene, id: string) {
  const { version } = (await readOne(scene, id)).webhook
  const stale = await send(scene, 'DELETE', `${ALL}/${id}`, { version: version + 1 })
  // Whatever that said, nothing is to be left behind: an answer is judged when it is gone.
  const gone = await send(scene, 'DELETE', `${ALL}/${id}`, { version })
  expectError('a deletion of another version', stale, { status: 409 })
  readJson('a deletion', gone, deleted, NO_STORE)
  const after = await send(scene, 'GET', `${ALL}/${id}`)
  expectError('a deleted webhook', after, { status: 404 })
  const left = (await listed(scene)).some((each) => each.id === id)
  that(!left, 'a deleted webhook is still listed')
}

async function race(scene: Scene, id: string) {
  const { version } = (await readOne(scene, id)).webhook
  const answers = await Promise.all(
    ['MAYORISTA', 'BLUE'].map((origin) =>
      send(scene, 'PATCH', `${ALL}/${id}`, { version, origin }),
    ),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  that(statuses.join() === '200,409', `two edits at once answer ${statuses.join(' and ')}`)
}

/** Throws when creating is refused for a reason that is no fault of the service. */
function refuseCreation({ status, text }: { status: number; text: string }): void {
  if (status !== 503 && status !== 409) return
  const { error } = parseJson('create', text) as { error?: string }
  if (status === 503 && error?.includes('en preparación'))
    throw new LeftOut('WEBHOOK_ADMISSION is closed')
  if (status === 409 && error?.includes('límite'))
    throw new LeftOut('the account of the key has its five webhooks')
}

async function readOne(scene: Scene, id: string) {
  return readJson('a webhook', await send(scene, 'GET', `${ALL}/${id}`), ownWebhook, NO_STORE)
}

async function listed(scene: Scene) {
  return readJson('the list', await send(scene, 'GET', ALL), webhookList, NO_STORE).webhooks
}

function send({ ask, key }: Scene, method: string, path: string, body?: unknown) {
  return ask(path, { method, headers: bearer(key!), ...(body !== undefined && { body }) })
}
