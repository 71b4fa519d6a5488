import { type Chain, glyphsOf } from './glyphs.ts'
import { encodePng } from './png.ts'

/** Shades of an ink between the ground and its full colour: what makes edges smooth. */
const SHADES = 15

export interface Text {
  x: number
  /** The baseline. */
  y: number
  /** Height of a capital. */
  size: number
  ink: number
  bold?: boolean
  align?: 'left' | 'right'
  /** The width it may take; a longer text is made smaller. */
  width?: number
}

type Rgb = readonly [number, number, number]

/** A picture of few colours: a ground, and inks drawn on it with a round pen. */
export class Canvas {
  readonly width: number
  readonly height: number
  readonly #pixels: Uint8Array
  readonly #palette: Rgb[]

  constructor(width: number, height: number, ground: string, inks: readonly string[]) {
    this.width = width
    this.height = height
    this.#pixels = new Uint8Array(width * height)
    this.#palette = [rgbOf(ground), ...inks.flatMap((ink) => shadesOf(rgbOf(ground), rgbOf(ink)))]
  }

  /** A rectangle with round corners. */
  box(x: number, y: number, width: number, height: number, radius: number, ink: number): void {
    const inner = width / 2 - radius
    const innerHeight = height / 2 - radius
    const [cx, cy] = [x + width / 2, y + height / 2]
    this.#paint([x, y, x + width, y + height], ink, (px, py) => {
      const dx = Math.max(0, Math.abs(px - cx) - inner)
      const dy = Math.max(0, Math.abs(py - cy) - innerHeight)
      return radius - Math.hypot(dx, dy)
    })
  }

  /** A line through the points, `thick` wide, with round ends and corners. */
  line(points: Chain, thick: number, ink: number): void {
    const reach = thick / 2
    points.forEach(([x2, y2], index) => {
      if (index === 0) return
      const [x1, y1] = points[index - 1]!
      const [dx, dy] = [x2 - x1, y2 - y1]
      const length = dx * dx + dy * dy || 1
      const box = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)] as const
      this.#paint([box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach], ink, (x, y) => {
        const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length))
        return reach - Math.hypot(x - x1 - along * dx, y - y1 - along * dy)
      })
    })
  }

  text(
    text: string,
    { x, y, size, ink, bold = false, align = 'left', width = Infinity }: Text,
  ): void {
    const glyphs = glyphsOf(text)
    const units = glyphs.reduce((sum, { advance }) => sum + advance, 0)
    const scale = Math.min(size / 70, width / units)
    const thick = scale * (bold ? 11 : 7.5)
    let left = align === 'right' ? x - units * scale : x
    for (const { chains, advance } of glyphs) {
      for (const chain of chains) {
        const placed = chain.map(([px, py]): [number, number] => [
          left + px * scale,
          y - py * scale,
        ])
        this.line(placed, thick, ink)
      }
      left += advance * scale
    }
  }

  png(): Promise<Uint8Array<ArrayBuffer>> {
    return encodePng(this.width, this.height, this.#palette, this.#pixels)
  }

  /** Draws the ink where `inside` is positive, with shades within a pixel of the edge. */
  #paint(
    [left, top, right, bottom]: readonly [number, number, number, number],
    ink: number,
    inside: (x: number, y: number) => number,
  ): void {
    const first = ink * SHADES
    const [x0, x1] = [Math.max(0, Math.floor(left - 1)), Math.min(this.width - 1, Math.ceil(right))]
    const [y0, y1] = [
      Math.max(0, Math.floor(top - 1)),
      Math.min(this.height - 1, Math.ceil(bottom)),
    ]
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const shade = Math.round(Math.min(1, inside(x + 0.5, y + 0.5) + 0.5) * SHADES)
        if (shade <= 0) continue
        const at = y * this.width + x
        const known = this.#pixels[at]! - first
        // Strokes of a letter overlap: of the same ink the darker shade stays.
        if (known <= 0 || known > SHADES || shade > known) this.#pixels[at] = first + shade
      }
    }
  }
}

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function shadesOf(ground: Rgb, ink: Rgb): Rgb[] {
  const mixed = (channel: 0 | 1 | 2, share: number) =>
    Math.round(ground[channel] + (ink[channel] - ground[channel]) * share)
  return Array.from({ length: SHADES }, (_, shade) => {
    const share = (shade + 1) / SHADES
    return [mixed(0, share), mixed(1, share), mixed(2, share)]
  })
}
