/** The sentences of docs/guard.md on the six kinds of evidence, with a few stories for each. */
import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../shared/argentine-time.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import {
  BLUE,
  KNOWN,
  at,
  decide,
  market,
  pass,
  play,
  same,
  times,
  type Level,
  type Story,
} from './pair-state.ts'

const DAY = 288

const RULES: Record<string, Record<string, Story>> = {
  'a step': {
    'may be wider after a weekend': [
      at('USD/BOLSA', [1171, 1174]),
      ({ current }) => (current!.lastScrapedAt -= 67 * HOUR_MS),
      [1, { first: [1225, 1228] }, { publish: 'first' }],
    ],
    'may be anything but a power of ten after 7 days (decision 55)': [
      pass(192),
      [1, { first: [11_250, 11_450] }, { publish: null }],
      [1, { first: [1350, 1374] }, { publish: 'first' }],
    ],
    'below 0.05 % is none of the cripto dollar (decision 51)': [
      at('USD/CRIPTO', [1400, 1410]),
      [1, { first: [1400.6, 1410.6] }, { publish: null, source: 'first' }],
      [1, { first: [1400.6, 1410.8] }, { publish: 'first' }],
    ],
    'may be one of buy alone': [[1, { first: [1125.5, 1145] }, { publish: 'first' }]],
    'of buy alone is not believed beside a source that stands, as one of both sides would be': [
      at('USD/OFICIAL', [1474.3, 1525.7]),
      [48, same([1474.3, 1525.7])],
      [48, { first: [1445, 1525.7], second: [1474.3, 1525.7] }, { held: 'witness' }],
      ({ current }) => expect(current).toMatchObject({ buy: 14_743_000 }),
      [[1, 1], { first: [1445, 1496], second: [1474.3, 1525.7] }],
    ],
  },
  'a witness': {
    'of another definition tells by its known basis': [
      at('USD/OFICIAL', [1000, 1050]),
      [20, { first: [1000, 1050], second: [1008, 1010] }],
      [1, { first: [1050, 1102.5], second: [1058.4, 1060.5] }, { publish: 'first' }],
    ],
    'of one number confirms a sell beside its own buy': [
      at('USD/OFICIAL', [1000, 1050]),
      [1, { first: [1120, 1176], near: [1176] }, { publish: 'first' }],
    ],
    'whose book crosses too far to be published bears out another one': [
      at('USD/CCL', [1150, 1151]),
      [24, same([1150, 1151])],
      [1, { first: [1300, 1260], second: [1265, 1266] }, { publish: 'second', held: 'form' }],
    ],
    'that prints the very same quote agrees, wherever it stood': [
      at('USD/MAYORISTA', [842, 882]),
      [48, { first: [842, 882], second: [863, 866] }],
      [1, same([862, 865]), { publish: 'first' }],
    ],
    'that still has the old value makes a step wait for over an hour and a half': [
      [1, { first: [1120, 1140], second: [1121, 1141] }],
      [30, { first: BLUE, second: [1126, 1146] }],
      [18, { first: [1240, 1262], second: [1126, 1146] }, { held: 'witness', source: 'second' }],
    ],
    'that moved the same way, not as far, is under way': [
      at('USD/BNA', [1465, 1515]),
      [48, same([1465, 1515])],
      [[1, 3], { first: [1350, 1400], second: [1320, 1370] }],
    ],
    'that moved otherwise while the relatives stood is as wrong': [
      at('USD/BNA', [1465, 1515]),
      market({ 'USD/MAYORISTA': 1490, 'USD/OFICIAL': 1520 }),
      [48, same([1465, 1515])],
      [12, { first: [1350, 1400], second: [1320, 1370] }, { held: 'relatives', sell: 1515 }],
    ],
    'that froze is outwaited': [
      ...KNOWN,
      [36, same(BLUE)],
      [13, { first: BLUE, second: [1195, 1216] }, { source: 'first', heldOf: 'second' }],
      [[6, 144], { first: BLUE, second: [1195, 1216] }, { sell: 1216 }],
    ],
  },
  'the relatives': {
    'bear out what they did': [
      ...KNOWN,
      market({ 'USD/BOLSA': 1145, 'USD/CRIPTO': 1145, 'USD/CCL': 1145 }),
      [24, same(BLUE)],
      // One of them is wrong: the median decides.
      market({ 'USD/BOLSA': 1205, 'USD/CRIPTO': 1205, 'USD/CCL': 900 }),
      [1, { first: BLUE, second: [1186, 1207] }, { publish: 'second' }],
    ],
    'say nothing with values of yesterday': [
      market({ 'USD/BOLSA': 1145, 'USD/CRIPTO': 1145 }),
      [24, { first: BLUE }],
      ({ market }) => market.forEach((value) => void (value.lastScrapedAt -= 2 * DAY * 300_000)),
      [[10, 14], { first: [1190, 1214] }],
    ],
    'do not lend their values, not even what their documents print': [
      [1, { first: BLUE }],
      (state) => {
        const readings = [{ buy: 13_000_000, sell: 13_200_000 }]
        const level = { buy: 12_500_000, sell: 12_700_000, lastScrapedAt: state.now }
        state.market = [{ pair: findPairByKey('USD/BOLSA')!, ...level, readings }]
      },
      [24, { first: [1250, 1270] }, { held: 'form', sell: 1145 }],
      [24, { first: [1300, 1320] }, { held: 'form', sell: 1145 }],
    ],
    'lend them where the average of banks is that of one': [
      at('USD/OFICIAL', [1000, 1050]),
      [1, { first: [1000, 1050] }],
      market({ 'USD/BNA': [1020, 1071] }),
      [1, { first: [1020, 1071] }, { publish: 'first' }],
    ],
  },
  patience: {
    'carries a small step in about an hour': [[[13, 13], { first: [1190, 1214] }]],
    'goes on while a claim is revised': [
      at('USD/OFICIAL', [380, 400.5]),
      [10, { first: [780, 820] }],
      [[12, 12], { first: [730, 770] }],
    ],
    'counts the reading of a source that is requested every half hour': [
      at('ARG/RIESGO', [1081, 1081]),
      ...times(6, (turn) => (turn % 2 ? [5, {}] : [1, { first: [708, 708] }])),
      [1, { first: [708, 708] }, { sell: 708 }],
    ],
    'begins anew when the reading went away': times(24, (turn) =>
      turn % 2
        ? [1, { first: BLUE }, { sell: 1145, held: null }]
        : [12, { first: [1250, 1270] }, { held: 'step' }],
    ),
    'is not made by a clock that leaps': [
      [1, { first: [1350, 1374] }],
      pass(4),
      [10, { first: [1350, 1374] }, { sell: 1145 }],
    ],
    'is taken away by an operator’s rejection, which another source outweighs': [
      decide('rejected', 1350, 1374),
      [200, { first: [1351, 1375] }, { sell: 1145 }],
      [1, { first: [1351, 1375], second: [1350, 1372] }, { publish: 'first' }],
    ],
    'is needless after an operator’s acceptance of about this value': [
      at('CLP/OFICIAL', [1.4, 1.41]),
      decide('accepted', 140, 141),
      [1, { first: [240.5, 241.5] }, { publish: null }],
      [1, { first: [140.5, 141.5] }, { publish: 'first' }],
    ],
  },
  form: {
    ...Object.fromEntries(
      (
        [
          ['USD/MAYORISTA', [936.5, 939.5], [962.57, 1], 'form'],
          ['CLP/OFICIAL', [1.4, 1.41], [1, 1], 'form'],
          ['USD/BOLSA', [1283.5, 1289.4], [128_350, 128_940], 'form'],
          ['UYU/OFICIAL', [33, 34], [3.3, 3.4], 'step'],
          ['USD/OFICIAL', [1000, 1050], [1080, 1050], 'form'],
          ['USD/TARJETA', [1943.5, 2008.5], [2008.5, 2008.5], 'form'],
          ['UYU/OFICIAL', [37.25, 37.29], [37.25, 37.25], 'form'],
        ] as const
      ).map(([pair, inEffect, fault, held]) => [
        `that ${pair} goes from ${inEffect} to ${fault} is held for a day, by the twin of its source too`,
        [
          at(pair, [...inEffect]),
          [1, { first: [...inEffect], twin: [...inEffect] }],
          [DAY, { first: [...fault], twin: [...fault] }, { held, source: null, heldOf: 'first' }],
          [1, { first: [...inEffect] }, { publish: null, source: 'first', held: null }],
        ],
      ]),
    ),
    'of another order of magnitude is believed when an independent source gives it': [
      at('CLP/OFICIAL', [1.4, 1.41]),
      [4, same([1.4, 1.41])],
      [[1, 24], { first: [14, 14.1], second: [13.98, 14.12] }],
    ],
    'of another unit gives way to one that can be right': [
      at('CLP/OFICIAL', [100.57, 100.71]),
      [1, { first: [1.0119, 1.012] }, { publish: 'first' }],
    ],
    'of the card dollar may be as wide as its tax': [
      at('USD/TARJETA', [1475, 1976]),
      [1, { first: [1480, 1982.5] }, { publish: 'first' }],
    ],
    'of books of bonds may cross a little': [
      at('USD/CCL', [1150, 1150]),
      [24, same([1151, 1150])],
      [3, { first: [1236, 1225] }, { held: 'witness' }],
      [1, { first: [1236, 1225], second: [1225, 1226] }, { publish: 'first' }],
    ],
    'of a book that crossed too far is still crossed when it comes nearer': [
      at('USD/CCL', [1150, 1180]),
      [2, { first: [1180, 1150] }, { held: 'form' }],
      [30, { first: [1170, 1150] }, { held: 'form' }],
    ],
    'of one number twice is none by patience, nor when its source takes over': [
      at('USD/OFICIAL', [1474.3, 1525.7]),
      [DAY, same([1474.3, 1525.7])],
      [DAY, { first: [1525.7, 1525.7] }],
      [DAY, { second: [1525.7, 1525.7] }],
      ({ current }) => expect(current).toMatchObject({ buy: 14_743_000, sell: 15_257_000 }),
    ],
    'of one number twice is one where the usual spread is a matter of rounding': [
      at('CLP/OFICIAL', [1.6377, 1.6378]),
      [24, same([1.6377, 1.6378])],
      [1, { first: [1.6378, 1.6378] }, { publish: 'first' }],
    ],
    'that is too wide is not confirmed by one number': [
      at('USD/CCL', [1167, 1169]),
      [1, { first: [1167, 1169], second: [1168] }],
      [1, { first: [1028.5, 1199], second: [1198] }, { heldOf: 'first' }],
    ],
  },
  'no price': Object.fromEntries(
    (
      [
        [0, 1100],
        [1090, 1e9],
      ] as Level[]
    ).map((level) => [
      `is ${level}: a failure of its source, whoever accepts it`,
      [
        [30, { first: level }, { publish: null, source: null, held: null }],
        decide('accepted', ...level),
        [1, same(level), { publish: null }],
      ],
    ]),
  ),
}

describe.each(Object.entries(RULES))('%s', (_, stories) => {
  it.each(Object.entries(stories))('%s', (_title, story) => void play(story))
})
