import type { SourceCheck } from './check.ts'

/** Of the issues that this opens, and of no others. */
export const LABEL = 'source-health'

export interface OpenIssue {
  number: number
  title: string
}

/** What is to be done with one source's issue. */
export type IssueStep =
  | { do: 'open'; title: string; body: string }
  | { do: 'comment' | 'close'; number: number; body: string }

/**
 * One open issue for each source that fails, and none for others. A source that goes on failing is
 * not told of again every day, only when it fails in another way. A source that was not asked keeps
 * what it has.
 */
export function planIssues(
  checks: readonly SourceCheck[],
  open: readonly (OpenIssue & { body: string })[],
  run: string,
): IssueStep[] {
  return checks.flatMap(({ name, ok, failure, message }): IssueStep[] => {
    const issue = open.find(({ title }) => title === titleOf(name))
    const said = `\`${name}\` failed: **${failure}**, ${message}.`
    if (ok) {
      return issue
        ? [{ do: 'close', number: issue.number, body: `It answers again (${run}).` }]
        : []
    }
    if (!issue) return [{ do: 'open', title: titleOf(name), body: bodyOf(name, said, run) }]
    if (issue.body.includes(said)) return []
    return [{ do: 'comment', number: issue.number, body: `${said} (${run})` }]
  })
}

function titleOf(name: string): string {
  return `Source ${name} fails`
}

function bodyOf(name: string, said: string, run: string): string {
  return `${said}

Found by ${run}. Try it: \`npm run sources -- check ${name}\`. How a parser is changed: CONTRIBUTING.md, "A source". The issue closes itself when the source answers again.`
}
