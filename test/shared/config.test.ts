import { expect, it } from 'vitest'
import { configProblems } from '../../shared/check-config.ts'

const KEY = btoa('0'.repeat(32))
const good = {
  WEBHOOK_ADMISSION: 'closed',
  DELIVERY_TRANSPORT: 'pinned',
  DELIVERY_WAITS: '30,300,1800',
  DELIVERY_CAPACITY: '20000',
  DAILY_PRIVATE_BUDGET: '20000',
  DATE_READ_LIMIT: '20',
  TARJETA_RATE: '0.30',
  DNS_OVER_HTTPS_URL: 'https://cloudflare-dns.com/dns-query',
  DEAD_LETTER_QUEUE: 'deliveries-dead',
  PUBLIC_HOSTS: '',
  KEY_ENCRYPTION_KEYS: `k1:${KEY}`,
  SESSION_SECRET: 's'.repeat(32),
}

it('has no complaint about the defaults, nor about what else is allowed', () => {
  expect(configProblems(good)).toEqual([])
  expect(
    configProblems({
      ...good,
      WEBHOOK_ADMISSION: 'open',
      DELIVERY_TRANSPORT: 'fetch',
      DELIVERY_WAITS: '1, 2, 3',
      PUBLIC_HOSTS: 'api.example.com, localhost',
      KEY_ENCRYPTION_KEYS: `k2:${KEY},k1:${btoa('1'.repeat(48))}`,
      SYSTEM_WEBHOOK_URL: 'https://example.com/hook',
      SYSTEM_WEBHOOK_PAIRS: 'USD/BLUE,usd/bna',
    }),
  ).toEqual([])
})

it.each([
  ['WEBHOOK_ADMISSION', 'Open', 'WEBHOOK_ADMISSION must be closed or open'],
  ['DELIVERY_TRANSPORT', '', 'DELIVERY_TRANSPORT must be pinned or fetch'],
  [
    'DELIVERY_WAITS',
    '30,300',
    'DELIVERY_WAITS must be three whole numbers of seconds, as in 30,300,1800',
  ],
  [
    'DELIVERY_WAITS',
    '30,0,1800',
    'DELIVERY_WAITS must be three whole numbers of seconds, as in 30,300,1800',
  ],
  ['DELIVERY_CAPACITY', '1e3', 'DELIVERY_CAPACITY must be a whole number above 0'],
  ['DAILY_PRIVATE_BUDGET', '-1', 'DAILY_PRIVATE_BUDGET must be a whole number above 0'],
  ['DATE_READ_LIMIT', '0', 'DATE_READ_LIMIT must be a whole number above 0'],
  ['TARJETA_RATE', '30', 'TARJETA_RATE must be a fraction such as 0.30, below 3'],
  ['TARJETA_RATE', '0,30', 'TARJETA_RATE must be a fraction such as 0.30, below 3'],
  ['DNS_OVER_HTTPS_URL', 'http://1.1.1.1/', 'DNS_OVER_HTTPS_URL must be an https URL'],
  ['DEAD_LETTER_QUEUE', '', 'DEAD_LETTER_QUEUE must be the name of a queue'],
  [
    'PUBLIC_HOSTS',
    'https://a.example',
    'PUBLIC_HOSTS must be host names separated by commas, and https://a.example is none',
  ],
  [
    'KEY_ENCRYPTION_KEYS',
    `k1:${btoa('short')}`,
    'KEY_ENCRYPTION_KEYS must be kid:base64 of at least 32 bytes, several separated by commas',
  ],
  [
    'KEY_ENCRYPTION_KEYS',
    KEY,
    'KEY_ENCRYPTION_KEYS must be kid:base64 of at least 32 bytes, several separated by commas',
  ],
  ['KEY_ENCRYPTION_KEYS', `k1:${KEY},k1:${KEY}`, 'KEY_ENCRYPTION_KEYS names a key twice'],
  ['SESSION_SECRET', 'short', 'SESSION_SECRET must have at least 32 characters'],
  ['SYSTEM_WEBHOOK_URL', 'http://a.example/', 'SYSTEM_WEBHOOK_URL must be an https URL'],
  [
    'SYSTEM_WEBHOOK_PAIRS',
    'USD/BLUE,USD/CER',
    "SYSTEM_WEBHOOK_PAIRS must be pairs such as USD/BLUE,USD/BNA, and 'USD/CER' is none",
  ],
])('refuses %s=%s', (name, value, problem) => {
  expect(configProblems({ ...good, [name]: value })).toEqual([problem])
})

it('names everything that is missing or wrong at once', () => {
  expect(configProblems({ ...good, SESSION_SECRET: undefined, TARJETA_RATE: 'x' })).toEqual([
    'TARJETA_RATE must be a fraction such as 0.30, below 3',
    'SESSION_SECRET is missing',
  ])
})
