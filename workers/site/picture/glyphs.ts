/**
 * Our own lettering for pictures: each letter as strokes of a round pen, because a font's file is
 * not among the licences that we take. Baseline at 0, capitals 70 high, y upwards. A stroke is a
 * chain of points `x,y x,y`, or an arc `@cx,cy,rx,ry,from,to` in degrees, anticlockwise from east.
 */
const O = '@22,24,20,24,0,360'

const STROKES: Record<string, string[]> = {
  a: [O, '42,48 42,0'],
  b: [O, '2,70 2,0'],
  c: ['@22,24,20,24,48,312'],
  d: [O, '42,70 42,0'],
  e: ['3,26 42,26', '@22,24,20,24,5,318'],
  f: ['@22,55,12,15,50,180', '10,55 10,0', '0,46 22,46'],
  g: [O, '42,48 42,-3', '@23,-3,19,16,0,-150'],
  h: ['2,70 2,0', '@20,29,18,19,180,0', '38,29 38,0'],
  i: ['2,48 2,0', '2,65 2,66'],
  ı: ['2,48 2,0'],
  j: ['8,48 8,-6', '@-3,-6,11,13,0,-85', '8,65 8,66'],
  k: ['2,70 2,0', '34,48 2,18', '14,29 36,0'],
  l: ['2,70 2,0'],
  m: ['2,48 2,0', '@17,31,15,17,180,0', '32,31 32,0', '@47,31,15,17,180,0', '62,31 62,0'],
  n: ['2,48 2,0', '@20,29,18,19,180,0', '38,29 38,0'],
  o: [O],
  p: [O, '2,48 2,-20'],
  q: [O, '42,48 42,-20'],
  r: ['2,48 2,0', '@20,29,18,19,180,72'],
  s: ['@17,36,14,12,35,270', '@17,12,16,12,90,-145'],
  t: ['10,63 10,13', '@22,13,12,13,180,295', '0,46 24,46'],
  u: ['2,48 2,19', '@20,19,18,19,180,360', '38,48 38,0'],
  v: ['2,48 20,0 38,48'],
  w: ['2,48 15,0 30,46 45,0 58,48'],
  x: ['2,48 36,0', '36,48 2,0'],
  y: ['2,48 20,2', '38,48 13,-20'],
  z: ['2,48 36,48 2,0 36,0'],
  A: ['0,0 27,70 54,0', '9,23 45,23'],
  B: ['24,70 2,70 2,0 27,0', '2,37 27,37', '@24,53.5,16,16.5,90,-90', '@27,18.5,18,18.5,90,-90'],
  C: ['@34,35,32,35,45,315'],
  D: ['22,70 2,70 2,0 22,0', '@22,35,34,35,90,-90'],
  E: ['42,70 2,70 2,0 42,0', '2,37 37,37'],
  F: ['40,70 2,70 2,0', '2,37 35,37'],
  G: ['@34,35,32,35,45,345', '65,30 40,30'],
  H: ['2,0 2,70', '48,0 48,70', '2,37 48,37'],
  I: ['2,0 2,70'],
  J: ['30,70 30,18', '@16,18,14,18,0,-170'],
  K: ['2,70 2,0', '44,70 2,26', '17,41 46,0'],
  L: ['2,70 2,0 38,0'],
  M: ['2,0 2,70 31,12 60,70 60,0'],
  N: ['2,0 2,70 48,0 48,70'],
  O: ['@35,35,33,35,0,360'],
  P: ['2,0 2,70 26,70', '26,32 2,32', '@26,51,18,19,90,-90'],
  Q: ['@35,35,33,35,0,360', '44,16 66,-4'],
  R: ['2,0 2,70 26,70', '26,32 2,32', '@26,51,18,19,90,-90', '24,32 46,0'],
  S: ['@24,52.5,20,17.5,38,270', '@24,17.5,22,17.5,90,-145'],
  T: ['0,70 50,70', '25,70 25,0'],
  U: ['2,70 2,24', '@25,24,23,24,180,360', '48,24 48,70'],
  V: ['0,70 27,0 54,70'],
  W: ['0,70 18,0 38,66 58,0 76,70'],
  X: ['2,70 46,0', '46,70 2,0'],
  Y: ['0,70 25,34 50,70', '25,34 25,0'],
  Z: ['2,70 44,70 2,0 44,0'],
  '0': ['@21,35,19,35,0,360'],
  '1': ['6,56 23,70 23,0'],
  '2': ['@20,51,18,19,168,-32', '35.3,40.9 2,0 40,0'],
  '3': ['@20,53,16,17,155,-90', '@20,18,19,18,90,-152'],
  '4': ['30,0 30,70 0,21 42,21'],
  '5': ['36,70 9,70 6,39', '@20,22,19,22,132,-148'],
  '6': ['@21,22,19,22,0,360', '4.4,32 27,70'],
  '7': ['1,70 41,70 15,0'],
  '8': ['@21,53,15,17,0,360', '@21,18,19,18,0,360'],
  '9': ['@21,48,19,22,0,360', '37.6,38 15,0'],
  $: ['@20,51,17,15,38,270', '@20,20,19,16,90,-145', '20,79 20,-9'],
  '.': ['3,1 3,2'],
  ',': ['5,2 1,-12'],
  ':': ['3,1 3,2', '3,45 3,46'],
  '·': ['3,26 3,27'],
  '%': ['@14,54,13,16,0,360', '@62,16,13,16,0,360', '59,70 17,0'],
  '+': ['0,30 36,30', '18,48 18,12'],
  '−': ['0,30 36,30'],
  '-': ['0,26 22,26'],
  '/': ['0,-8 30,76'],
  '(': ['@26,30,22,50,125,235'],
  ')': ['@-6,30,22,50,55,-55'],
}

/** Marks that stand above a letter, from the middle of it. */
const MARKS: Record<string, string> = {
  '\u0301': '-3,59 9,72',
  '\u0303': '-13,59 -7,66 0,63 7,60 13,67',
  '\u0308': '-10,65 -10,66',
}
const SPACE = 26
const BETWEEN = 15
/** Digits all take as much, so that columns of them stand straight. */
const DIGIT = 42

export type Chain = [x: number, y: number][]

export interface Glyph {
  chains: Chain[]
  /** To the start of the next one. */
  advance: number
}

/** The glyphs of a text; what we have no strokes for is left out. */
export function glyphsOf(text: string): Glyph[] {
  const letters = [...text.normalize('NFD')]
  return letters.flatMap((letter, index) => {
    if (/\s/.test(letter)) return [{ chains: [], advance: SPACE }]
    if (MARKS[letter]) return []

    const mark = MARKS[letters[index + 1] ?? '']
    const strokes = STROKES[mark && letter === 'i' ? 'ı' : letter]
    return strokes ? [glyph(letter, strokes, mark)] : []
  })
}

function glyph(letter: string, strokes: string[], mark: string | undefined): Glyph {
  const chains = strokes.map(chainOf)
  const width = Math.max(...chains.flat().map(([x]) => x))
  const advance = (/\d/.test(letter) ? DIGIT : width) + BETWEEN
  if (!mark) return { chains, advance }

  const above = chainOf(mark).map(([x, y]): [number, number] => [x + width / 2, y])
  return { chains: [...chains, above], advance }
}

function chainOf(stroke: string): Chain {
  if (stroke.startsWith('@')) return arc(stroke.slice(1).split(',').map(Number))
  return stroke.split(' ').map((point) => point.split(',').map(Number) as [number, number])
}

const ARC_STEP = 9

function arc([cx, cy, rx, ry, from, to]: number[]): Chain {
  const steps = Math.max(2, Math.ceil(Math.abs(to! - from!) / ARC_STEP))
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from! + ((to! - from!) * step) / steps) * Math.PI) / 180
    return [cx! + rx! * Math.cos(angle), cy! + ry! * Math.sin(angle)]
  })
}
