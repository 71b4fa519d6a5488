import { describe, expect, it } from 'vitest'
import type { SourceCheck } from '../../../../tools/operate/sources/check.ts'
import { githubIssues } from '../../../../tools/operate/sources/github.ts'
import { planIssues } from '../../../../tools/operate/sources/issues.ts'

const RUN = 'https://github.test/run/1'

const check = (name: string, failure: SourceCheck['failure'] = null): SourceCheck => ({
  name,
  ok: failure === null,
  readings: [],
  newestAt: null,
  ageSeconds: null,
  failure,
  message: failure && 'did not answer',
  milliseconds: 1,
})

describe('the issues of sources', () => {
  const [opened] = planIssues([check('belo', 'network')], [], RUN)
  const issue = { number: 7, title: 'Source belo fails', body: opened!.body }

  it('opens one for a source that fails, with the command that tries it', () => {
    expect(opened).toMatchObject({ do: 'open', title: 'Source belo fails' })
    expect(opened!.body).toContain('npm run sources -- check belo')
  })

  it('says nothing again while it fails in the same way, and tells another way', () => {
    expect(planIssues([check('belo', 'network')], [issue], RUN)).toEqual([])
    expect(planIssues([check('belo', 'format')], [issue], RUN)).toMatchObject([
      { do: 'comment', number: 7 },
    ])
  })

  it('closes it when the source answers, and leaves those of sources that were not asked', () => {
    expect(planIssues([check('belo')], [issue], RUN)).toMatchObject([{ do: 'close', number: 7 }])
    expect(planIssues([check('bcu')], [issue], RUN)).toEqual([])
  })
})

it('asks GitHub as it wants to be asked, with the token in a header alone', async () => {
  const asked: [string, string, unknown][] = []
  const network = async (url: string, init: RequestInit) => {
    expect(new Headers(init.headers).get('Authorization')).toBe('Bearer secret')
    asked.push([init.method!, new URL(url).pathname, init.body && JSON.parse(String(init.body))])
    return Response.json(init.method === 'GET' ? [{ number: 7, title: 't', body: null }] : {})
  }
  const options = { repository: 'owner/name', token: 'secret', api: 'https://api.github.test' }
  const issues = githubIssues(options, network as typeof fetch)

  expect(await issues.open()).toEqual([{ number: 7, title: 't', body: '' }])
  await issues.take({ do: 'open', title: 'T', body: 'B' })
  await issues.take({ do: 'close', number: 7, body: 'again' })
  expect(asked.slice(1)).toEqual([
    ['POST', '/repos/owner/name/issues', { title: 'T', body: 'B', labels: ['source-health'] }],
    ['POST', '/repos/owner/name/issues/7/comments', { body: 'again' }],
    ['PATCH', '/repos/owner/name/issues/7', { state: 'closed' }],
  ])
})
