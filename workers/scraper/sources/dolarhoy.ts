import { QUOTE_HOURS } from '../../../shared/market/market-hours.ts'
import { get, PAGE_HEADERS } from './document.ts'
import {
  ancestorsOf,
  attributeOf,
  type Element,
  elementsByClass,
  elementsByTag,
  readHtml,
  textOf,
  type Tree,
} from './html.ts'
import { parsePrice } from './number-text.ts'
import { formatError, type Source } from './source.ts'

/** Known pages have two or three links to the blue dollar. The blocks around each are searched. */
const MAX_LINKS = 20

/**
 * The home page has a tile per dollar. The tile of the blue dollar is found by its link, because
 * its title changes. Links of the menu have no tile and are skipped.
 */
export const dolarhoy: Source = {
  ...get('dolarhoy', 5, QUOTE_HOURS, 'https://dolarhoy.com/', PAGE_HEADERS),
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

/** The nearest block with prices around a link, if it has the prices of one dollar only. */
function tileOf(link: Element): (Tree | Element)[] {
  const around = ancestorsOf(link).find((block) => elementsByClass(block, 'compra').length > 0)
  return around && elementsByClass(around, 'compra').length === 1 ? [around] : []
}

function value(tile: Tree | Element, side: 'compra' | 'venta') {
  const found = elementsByClass(tile, side).flatMap((block) => elementsByClass(block, 'val'))
  const [element] = found
  if (!element || found.length > 1) throw formatError(`has ${found.length} values of ${side}`)

  return parsePrice(textOf(element), 'comma')
}
