import { readArguments, readWhole, UsageError } from '../harness/arguments.ts'

export interface VerifyOptions {
  url: string
  key: string | undefined
  /** How long a fresh deployment may take until its reads answer. */
  waitSeconds: number
}

export const USAGE = `npm run verify -- URL [options]

  --key KEY        an API key: history, webhooks and quotas are asked as well; one of its own,
                   for its minute's quota is used up
  --wait SECONDS   how long a fresh deployment may take until it has quotes (0)`

export function readOptions(args: readonly string[]): VerifyOptions {
  const options = { key: { type: 'string' }, wait: { type: 'string', default: '0' } } as const
  const { values, positionals } = readArguments(args, options, { allowPositionals: true })
  const [url, ...more] = positionals
  if (url === undefined || more.length > 0) throw new UsageError('one URL is wanted')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`${url} is no http or https URL`)

  return { url, key: values.key, waitSeconds: readWhole('--wait', values.wait, 0, 99_999) }
}
