import type { Schema } from './openapi.ts'

/** A key goes in either header (both only when they hold the same key). */
export const securitySchemes: Record<string, Schema> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: '`Authorization: Bearer <clave>`, lo recomendado.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'La misma clave en `x-api-key`.',
  },
}

export const withKey: Record<string, string[]>[] = [{ bearer: [] }, { apiKey: [] }]
