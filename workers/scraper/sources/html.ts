import { DomUtils, parseDocument } from 'htmlparser2'
import { formatError } from './source-error.ts'

/** The tree of a page or an XML document (domhandler's; its names are not exported to us). */
export type Tree = ReturnType<typeof parseDocument>
export type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number]

export function readHtml(body: string): Tree {
  return parseDocument(body)
}

export function readXml(body: string): Tree {
  return parseDocument(body, { xmlMode: true })
}

/** The one element with an id, or null; several are a page that we do not know. */
export function elementById(tree: Tree, id: string): Element | null {
  const found = DomUtils.getElements({ id }, tree, true) as Element[]
  if (found.length > 1) throw formatError(`has ${found.length} blocks #${id}`)

  return found[0] ?? null
}

/** The one element with an id, without which the page is not the one that we know. */
export function requireElement(tree: Tree, id: string): Element {
  const element = elementById(tree, id)
  if (!element) throw formatError(`has no block #${id}`)

  return element
}

export function elementsByTag(within: Tree | Element, tag: string): Element[] {
  return DomUtils.getElementsByTagName(tag, within, true)
}

export function elementsByClass(within: Tree | Element, name: string): Element[] {
  return DomUtils.filter(
    (node) => 'attribs' in node && (node.attribs['class'] ?? '').split(/\s+/).includes(name),
    within,
    true,
  ) as Element[]
}

/** The text inside, white space collapsed. */
export function textOf(element: Tree | Element): string {
  return DomUtils.textContent(element).replace(/\s+/g, ' ').trim()
}

export function attributeOf(element: Element, name: string): string {
  return element.attribs[name] ?? ''
}

/** The tree above an element, nearest first, the document last. */
export function ancestorsOf(element: Element): (Tree | Element)[] {
  const ancestors: (Tree | Element)[] = []
  for (let node = element.parent; node; node = node.parent) ancestors.push(node as Tree | Element)

  return ancestors
}
