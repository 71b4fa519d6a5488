import { join } from 'node:path'
import { currentDocuments } from '../openapi/released.ts'
import { brunoCollection } from './bruno.ts'

export const BRUNO = join(import.meta.dirname, '../../../examples/bruno')

/** The files of the collection, as the documents say them now. */
export function brunoFiles(): Map<string, string> {
  return brunoCollection(currentDocuments())
}
