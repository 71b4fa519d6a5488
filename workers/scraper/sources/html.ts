// Imported by name: the namespace that htmlparser2 exports brings all of domutils into the bundle.
import { filter, getElements, getElementsByTagName, textContent } from 'domutils'
import { DomHandler, Parser } from 'htmlparser2'
import { formatError } from './source.ts'

/**
 * The most elements of a page, and the deepest nesting: ten times what known pages have. Searches
 * visit nested elements repeatedly: a page of 200 KB once cost 18 seconds.
 */
const MAX_ELEMENTS = 20_000
const MAX_DEPTH = 100

/** The tree of a page. domhandler does not export this type to us. */
export type Tree = DomHandler['root']
export type Element = ReturnType<typeof getElementsByTagName>[number]

export function readHtml(body: string): Tree {
  const handler = new BoundedHandler()
  new Parser(handler).end(body)
  return handler.root
}

class BoundedHandler extends DomHandler {
  #elements = 0

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.#elements += 1
    if (this.#elements > MAX_ELEMENTS || this.tagStack.length > MAX_DEPTH)
      throw formatError('has more elements than a page that we know')

    super.onopentag(name, attributes)
  }
}

/** The element with an id, or null. Throws if there are several, because the page changed. */
export function elementById(tree: Tree, id: string): Element | null {
  const found = getElements({ id }, tree, true) as Element[]
  if (found.length > 1) throw formatError(`has ${found.length} blocks #${id}`)

  return found[0] ?? null
}

/** The element with an id. Without it the page is unknown. */
export function requireElement(tree: Tree, id: string): Element {
  const element = elementById(tree, id)
  if (!element) throw formatError(`has no block #${id}`)

  return element
}

export function elementsByTag(within: Tree | Element, tag: string): Element[] {
  return getElementsByTagName(tag, within, true)
}

export function elementsByClass(within: Tree | Element, name: string): Element[] {
  return filter(
    (node) => 'attribs' in node && (node.attribs['class'] ?? '').split(/\s+/).includes(name),
    within,
    true,
  ) as Element[]
}

/** The text inside, white space collapsed. */
export function textOf(element: Tree | Element): string {
  return textContent(element).replace(/\s+/g, ' ').trim()
}

/** A text in lower case and without accents, for comparisons. */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

export function attributeOf(element: Element, name: string): string {
  return element.attribs[name] ?? ''
}

/** The elements around an element, nearest first, and the document last. */
export function ancestorsOf(element: Element): (Tree | Element)[] {
  const ancestors: (Tree | Element)[] = []
  for (let node = element.parent; node; node = node.parent) ancestors.push(node as Tree | Element)

  return ancestors
}
