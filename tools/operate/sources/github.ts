import { CommandError } from '../../support/arguments.ts'
import { type IssueStep, LABEL, type OpenIssue } from './issues.ts'

/** The issues of a repository, by GitHub's REST API; `repository` is `owner/name`. */
export function githubIssues(
  { repository, token, api }: { repository: string; token: string; api: string },
  network: typeof fetch = fetch,
) {
  async function ask<Value>(method: string, path: string, body?: unknown): Promise<Value> {
    const response = await network(`${api}/repos/${repository}${path}`, {
      method,
      headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new CommandError(`GitHub answered ${response.status} to ${method}`)
    return (await response.json()) as Value
  }

  return {
    async open(): Promise<(OpenIssue & { body: string })[]> {
      const query = `?state=open&labels=${LABEL}&per_page=100`
      const issues = await ask<{ number: number; title: string; body: string | null }[]>(
        'GET',
        `/issues${query}`,
      )
      return issues.map(({ number, title, body }) => ({ number, title, body: body ?? '' }))
    },
    async take(step: IssueStep): Promise<void> {
      if (step.do === 'open') {
        const { title, body } = step
        return void (await ask('POST', '/issues', { title, body, labels: [LABEL] }))
      }
      await ask('POST', `/issues/${step.number}/comments`, { body: step.body })
      if (step.do === 'close') await ask('PATCH', `/issues/${step.number}`, { state: 'closed' })
    },
  }
}
