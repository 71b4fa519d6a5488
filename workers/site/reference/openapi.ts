/** Types for the parts of OpenAPI 3.1 that our documents use. */

import type { Header, JsonSchema, Method } from '../../../shared/api/operation.ts'

export type Schema = JsonSchema

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description: string
  schema: Schema
  example?: unknown
}

interface Media {
  schema: Schema
  example?: unknown
}

export interface ApiResponse {
  description: string
  headers?: Readonly<Record<string, Header>>
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, ApiResponse>
}

type PathItem = Partial<Record<Method, Operation>>

export interface Document {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components: {
    schemas: Record<string, Schema>
    securitySchemes?: Record<string, Schema>
  }
}

/** The licence of the code and of these documents (package.json). */
export const LICENSE = { name: 'MIT', identifier: 'MIT' }

/** Every operation of a document with its path, in document order. */
export function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as Operation,
    })),
  )
}
