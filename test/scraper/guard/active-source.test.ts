/** The sentences of docs/guard.md on holds, first values, the active source and frozen sources. */
import { describe, it } from 'vitest'
import { BLUE, KNOWN, at, correct, decide, play, same, times, type Story } from './pair-state.ts'

const DAY = 288

/** The first source freezes while the second moves away. */
const WALK = times(12, (turn) => [
  6,
  { first: [1400, 1410], second: [1400 + 4 * turn, 1410 + 4 * turn] },
  { held: null },
])

const RULES: Record<string, Record<string, Story>> = {
  'a hold': {
    'stays while its source is silent, and is forgotten after an hour': [
      [1, { first: [1350, 1374] }],
      [1, {}, { held: 'step', heldOf: 'first' }],
      [15, {}, { held: null }],
    ],
    'lets the next source confirm the value and move it': [
      [1, { first: [112_500, 114_500], second: BLUE }, { source: 'second', held: 'form' }],
      [1, { first: [112_500, 114_500], second: [1130, 1150] }, { publish: 'second' }],
    ],
    'gives the turn back once a second source shows that the value was right': [
      [6, { first: [1250, 1270], second: BLUE }, { source: 'second' }],
      [1, { first: [1250, 1270], second: [1252, 1272] }, { source: 'first', publish: 'first' }],
    ],
    'ends when two others agree against the source in use': [
      [1, { first: BLUE, second: BLUE, third: BLUE }],
      [[1, 3], { first: BLUE, second: [1250, 1270], third: [1252, 1272] }],
    ],
  },
  'the first value': {
    'is never what no pair can be worth, unless an operator accepts it': [
      at('USD/BLUE'),
      [DAY, { first: [1, 1] }, { held: 'step' }],
      [1, { first: [60_000, 61_000], second: [60_100, 61_100] }, { publish: null }],
      decide('accepted', 60_000, 61_000),
      [1, { first: [60_000, 61_000], second: [60_100, 61_100] }, { publish: 'first' }],
    ],
    'is the plausible one of two': [
      at('USD/BLUE'),
      [1, { first: [151_500, 153_500], second: BLUE }, { publish: 'second' }],
    ],
  },
  'the active source': {
    'keeps its turn for a quarter of an hour; another one confirms the value meanwhile': [
      [1, { first: BLUE, second: [1127, 1147] }],
      [
        2,
        { second: [1127, 1147] },
        { publish: null, source: 'second', needsFallback: true, active: 'first' },
      ],
      [1, { second: [1127, 1147] }, { publish: null, source: 'second', active: 'second' }],
      [1, { first: BLUE, second: [1127, 1147] }, { publish: null, source: 'first' }],
    ],
    'is one with the corrected value, though the wrong one left it behind': [
      ...KNOWN,
      [2, { first: BLUE, second: BLUE }],
      decide('accepted', 1450, 1475),
      [1, { first: [1450, 1475], second: BLUE }, { publish: 'first' }],
      [1, { first: [1450, 1475], second: BLUE }, { publish: null }],
      correct(...BLUE),
      [12, { first: [1450, 1475], second: BLUE }, { source: 'second', sell: 1145 }],
      [1, { second: BLUE }, { source: 'second', sell: 1145 }],
    ],
    'is one with the corrected value while the wrong one is silent': [
      ...KNOWN,
      [2, { first: BLUE, second: BLUE }],
      decide('accepted', 1450, 1475),
      [3, { first: [1450, 1475], second: BLUE }],
      correct(...BLUE),
      [1, { second: BLUE }, { source: 'second', sell: 1145 }],
      [1, { first: BLUE, second: BLUE }, { source: 'first', publish: null, sell: 1145 }],
    ],
    'is one of another definition once it clearly moved': [
      at('USD/OFICIAL', [1495, 1545]),
      [4, { near: [1540] }],
      [1, { near: [1542] }, { publish: null, source: 'near' }],
      [1, { near: [1570] }, { publish: 'near' }],
    ],
    'is the first one again without a change, at its usual distance from the other': [
      at('USD/OFICIAL', [1495, 1545]),
      [20, { first: [1495, 1545], second: [1530, 1580] }],
      [4, { second: [1530, 1580] }],
      [110, { second: [1532, 1582] }],
      [12, { first: [1497, 1547], second: [1532, 1582] }, { active: 'first', sell: 1582 }],
    ],
    'is never one that usually gives ten times as much': [
      [30, { first: BLUE, second: [11_250, 11_450] }],
      [5, { second: [11_250, 11_450] }, { source: null }],
    ],
  },
  'a frozen source': {
    'is left behind, not held, and gets its turn back once it moves': [
      at('USD/CRIPTO', [1400, 1410]),
      ...WALK,
      [1, { first: [1400, 1410], second: [1444, 1454] }, { active: 'second', sell: 1454 }],
      [5, { first: [1440, 1452], second: [1444, 1454] }, { active: 'first' }],
    ],
    'does not stand against a jump of the others': [
      at('USD/CRIPTO', [1400, 1410]),
      ...WALK,
      [[1, 24], { first: [1400, 1410], second: [1740, 1760] }],
    ],
    'is none when the other one wavers': times(40, (turn) => [
      3,
      { first: BLUE, second: turn % 2 ? [1128, 1148] : [1124, 1144] },
      { active: 'first' },
    ]),
    'missed a small step, and is left once it is overdue': [
      ...times(6, (turn) => [40, same([1126 + turn, 1146 + turn])]),
      [2, { first: [1131, 1151], second: [1136, 1156] }, { source: 'first' }],
      [[1, 12], { first: [1131, 1151], second: [1136, 1156] }, { sell: 1156 }],
    ],
    'is left by one that went far, was doubted and came back by half': [
      ...KNOWN,
      [12, { first: BLUE, second: [1165, 1186] }],
      [2 * 12, { first: BLUE, second: [1150, 1171] }, { sell: 1171, active: 'second' }],
    ],
    'is not left by one that it left itself, and that came nearer': [
      ...KNOWN,
      [2, { first: [1137, 1157], second: BLUE }],
      [60, { first: [1137, 1157], second: [1131, 1151] }, { publish: null, source: 'first' }],
    ],
  },
}

describe.each(Object.entries(RULES))('%s', (_, stories) => {
  it.each(Object.entries(stories))('%s', (_title, story) => void play(story))
})
