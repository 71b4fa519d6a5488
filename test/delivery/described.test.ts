/** Compares what a receiver really gets with what the OpenAPI documents say. */
import { expect, it } from 'vitest'
import { validatorOf } from '../support/openapi.ts'
import { DOCUMENTS } from '../../workers/site/reference/documents.ts'
import { change } from '../support/alerts.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { aDeployment } from '../support/deployment.ts'
import { openClient } from '../support/account-client.ts'

const documents = DOCUMENTS.map(({ make }) => make(aDeployment('https://cotizaciones.test')))

it.each([
  ['webhook', ['manual.trigger', 'rate.updated']],
  ['alert', ['alert.test', 'alert.triggered']],
] as const)('of the kind %s', async (kind, expected) => {
  const client = await openClient({ kind })
  await change({ 'USD/BLUE': 1430 }, client.clock.now)
  const { id } = await client.made()
  await client.test(id)
  // A webhook's edit makes a sync; an alert fires on a change.
  if (kind === 'webhook') await client.edit(id, { version: 1, url: 'https://otro.example/x' })
  else await change({ 'USD/BLUE': 1500 }, client.clock.now + 1)

  const fixture = createFixture()
  fixture.set(client.clock.now + 60_000)
  await fixture.sweep()
  await fixture.drain()

  const got = fixture.posts.map(({ headers, body }) => {
    const event = JSON.parse(body) as { event: string }
    const document = documents.find(({ webhooks = {} }) => event.event in webhooks)!
    const { parameters, requestBody } = document.webhooks![event.event]!.post!
    const { schema } = requestBody!.content['application/json']!
    const { valid, errors } = validatorOf(schema, document).validate(event)
    expect(valid, JSON.stringify(errors.at(-1))).toBe(true)

    const required = parameters!.filter((one) => one.required).map(({ name }) => name)
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(required))
    const own = Object.keys(headers).filter((name) => /^(x-service|webhook)-/i.test(name))
    expect(parameters!.map(({ name }) => name)).toEqual(expect.arrayContaining(own))
    return event.event
  })
  expect(got.toSorted()).toEqual(expected)
})
