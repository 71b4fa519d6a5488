import { expect, it } from 'vitest'
import { addressIn, verifyDeployed } from '../../../../tools/operate/deploy/verify.ts'

const PRINTED = `Uploaded cotizaciones-edge (4.2 sec)
Deployed cotizaciones-edge triggers (1.1 sec)
  https://cotizaciones-edge.account.workers.dev
Current Version ID: v-1`

it('finds the address that a deployment got', () => {
  expect(addressIn(PRINTED)).toBe('https://cotizaciones-edge.account.workers.dev')
  expect(addressIn('Deployed cotizaciones-edge triggers')).toBeUndefined()
})

it('a dry run shows what would be asked, and asks nothing', async () => {
  const lines: string[] = []
  const url = 'https://c.example'
  const wanted = { url, key: undefined, waitSeconds: 0, dryRun: true, isNew: false }
  await verifyDeployed(wanted, (line) => lines.push(line))
  expect(lines).toEqual(['$ npm run verify -- https://c.example'])
})
