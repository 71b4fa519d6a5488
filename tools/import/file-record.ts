/** One row of a file, whatever its form: fields by name. */
export type FileRecord = Record<string, unknown>
