/** The blue dollar's own pages. */
import * as z from 'zod/mini'
import { QUOTE_HOURS } from '../../../shared/market/market-hours.ts'
import { get, json } from './json-source.ts'
import { PAGE_HEADERS } from './parsing/browser.ts'
import {
  ancestorsOf,
  attributeOf,
  type Element,
  elementsByClass,
  elementsByTag,
  readHtml,
  textOf,
  type Tree,
} from './parsing/html.ts'
import { priceText, requirePrice } from './parsing/number-text.ts'
import { formatError } from './parsing/source-error.ts'
import type { Source } from './source.ts'

/** The page has two or three. All blocks around each of them are searched. */
const MAX_LINKS = 20

/**
 * The home page has a tile per dollar; the blue's is found by its link, because its title changes.
 * Links of the menu have no tile and are skipped.
 */
export const dolarhoy: Source = {
  name: 'dolarhoy',
  rhythm: { everyMinutes: 5, hours: QUOTE_HOURS },
  request: () => ({ url: 'https://dolarhoy.com/', headers: PAGE_HEADERS }),
  parse(body) {
    const links = elementsByTag(readHtml(body), 'a').filter((link) =>
      /\/cotizaciondolarblue\/?$/i.test(attributeOf(link, 'href')),
    )
    if (links.length > MAX_LINKS) throw formatError(`has ${links.length} links to the blue dollar`)
    const tiles = new Set(links.flatMap(tileOf))
    const [tile] = tiles
    if (!tile || tiles.size > 1) throw formatError(`has ${tiles.size} tiles of the blue dollar`)

    const [buy, sell] = [value(tile, 'compra'), value(tile, 'venta')]
    const stamp = /\d{2}\/\d{2}\/\d{2} \d{1,2}:\d{2} [AP]M/.exec(body)?.[0]
    return [{ kind: 'quote', pair: 'USD/BLUE', buy, sell, ...(stamp && { stamp }) }]
  },
}

/** The nearest block around a link that holds prices, when it holds those of one dollar only. */
function tileOf(link: Element): (Tree | Element)[] {
  const around = ancestorsOf(link).find((block) => elementsByClass(block, 'compra').length > 0)
  return around && elementsByClass(around, 'compra').length === 1 ? [around] : []
}

function value(tile: Tree | Element, side: 'compra' | 'venta') {
  const found = elementsByClass(tile, side).flatMap((block) => elementsByClass(block, 'val'))
  const [element] = found
  if (!element || found.length > 1) throw formatError(`has ${found.length} values of ${side}`)

  return priceText(textOf(element), 'comma')
}

const newspapers = z.object({
  blue: z.object({ value_buy: z.number(), value_sell: z.number() }),
  last_update: z.string(),
})

/** The mean of three newspapers' blue. Its euro is 7 % low and is not read. */
export const bluelytics: Source = {
  ...get('bluelytics', 15, QUOTE_HOURS, 'https://api.bluelytics.com.ar/v2/latest'),
  parse: json(newspapers, ({ blue, last_update: stamp }) => {
    const [buy, sell] = [requirePrice(blue.value_buy), requirePrice(blue.value_sell)]
    return [{ kind: 'quote', pair: 'USD/BLUE', buy, sell, stamp }]
  }),
}
