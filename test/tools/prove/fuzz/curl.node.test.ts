import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { toCurl } from '../../../../tools/prove/fuzz/curl.ts'

/** What bash hands to curl. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`
  const output = execFileSync('bash', ['-c', script], { encoding: 'latin1' })
  return output.split('\0').slice(0, -1)
}

it('prints a request that bash takes apart again, byte by byte', () => {
  const body = Buffer.from(`{"a":"'\\n\u00ff💱$(x)\`"}${'%y'.repeat(300)}`, 'utf8')
  const line = toCurl('http://127.0.0.1:1', {
    method: 'POST',
    target: `/api/v2/x?y=${'a'.repeat(5000)}&z=%00'"`,
    headers: [
      ['X-Empty', ''],
      ['Cookie', `a='b'; \\x41; ${'c=1; '.repeat(800)}d`],
    ],
    body,
    framing: 'chunked',
  })

  expect(line.length).toBeLessThan(600)
  expect(line).not.toContain('\n')
  expect(argumentsOf(line)).toEqual([
    ...'-si --path-as-is -g -X POST -H X-Empty; -H'.split(' '),
    `Cookie: a='b'; \\x41; ${'c=1; '.repeat(800)}d`,
    '-H',
    'Transfer-Encoding: chunked',
    '--data-binary',
    body.toString('latin1'),
    `http://127.0.0.1:1/api/v2/x?y=${'a'.repeat(5000)}&z=%00'"`,
  ])
})
