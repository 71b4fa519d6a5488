import type * as z from 'zod'
import type { Terms } from '../../../../shared/api/operation.ts'
import type { PathItem } from '../openapi.ts'

/** One subject of the extensions document: its tag, its operations and their responses. */
export interface Extension {
  tag: { name: string; description: string }
  paths: (terms: Terms) => Record<string, PathItem>
  /** What receivers get, by the name of the event. */
  events?: (terms: Terms) => Record<string, PathItem>
  /** Named as components; names are unique in the whole document. */
  schemas: Readonly<Record<string, z.ZodType>>
}
