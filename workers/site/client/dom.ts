/** DOM helpers of the scripts of pages. */

/** The element; throws when the page has none. */
export function find<E extends Element = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): E {
  const found = root.querySelector<E>(selector)
  if (!found) throw new Error(`no ${selector}`)
  return found
}

export function findAll<E extends Element = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): E[] {
  return [...root.querySelectorAll<E>(selector)]
}

/** A new element with its properties and content. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...content: (string | Node)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...content)
  return made
}

export function put(element: Element | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text
}

/** The page of an address, as a document. */
export async function readPage(address: string, init?: RequestInit): Promise<Document> {
  const response = await fetch(address, init)
  if (!response.ok) throw new Error(`answered ${response.status}`)
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}
