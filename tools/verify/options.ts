import { parseArgs } from 'node:util'

export interface VerifyOptions {
  url: string
  key: string | undefined
  waitSeconds: number
}

export const USAGE = `npm run verify -- URL [options]

  --key KEY        an API key: history, webhooks and quotas are asked as well; one of its own,
                   for its minute's quota is used up
  --wait SECONDS   how long a fresh deployment may take until it has quotes (0)`

/** The options, `help`, or what is wrong with them. */
export function readOptions(argv: string[]): VerifyOptions | 'help' | string {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        key: { type: 'string' },
        wait: { type: 'string', default: '0' },
      },
    })
    if (values.help) return 'help'
    const [url, ...more] = positionals
    if (url === undefined || more.length > 0) return 'one URL is wanted: see --help'
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return `${url} is no http or https URL`
    if (!/^\d{1,5}$/.test(values.wait)) return '--wait is a whole number of seconds'

    return { url, key: values.key, waitSeconds: Number(values.wait) }
  } catch (error) {
    return (error as Error).message
  }
}
