/**
 * What an operation of the public API is. Each stands once, in the file of its resource. From these
 * definitions come the edge's routes and their validation, the OpenAPI documents, the reference and
 * the tools for assistants.
 */
import * as z from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The facts of a deployment that documents and pages state. */
export interface Terms {
  origin: string
  /** Date reads of one client in ten seconds. */
  dateReads: number
  /** Unknown keys of one client in a minute. */
  unknownKeys: number
  /** Private requests accepted per UTC day, of all keys together. */
  dailyBudget: number
  /** Seconds before the second, third and fourth attempt of a delivery. */
  waits: readonly number[]
  /** Whether the compatibility addresses answer. */
  compatibility: boolean
}

export interface Header {
  description: string
  /** Present on every answer of its status. */
  required?: boolean
  schema: JsonSchema
}

export interface Answer {
  description: string
  headers?: Readonly<Record<string, Header>>
  /** By content type. */
  content?: Readonly<Record<string, { schema: AnswerSchema; example?: unknown }>>
}

/** In definitions that the edge loads, answers are `lazy`: it never reads them. */
export type AnswerSchema = z.ZodType | (() => z.ZodType)

/** A schema made at its first use, by documents and tools. */
export function lazy<Schema extends z.ZodType>(make: () => Schema): () => Schema {
  let made: Schema | undefined
  return () => (made ??= make())
}

/** Schemas of values that requests carry as text. Their JSON form is that of the value read. */
export type Fields = Readonly<Record<string, z.ZodType>>

export type Method = 'get' | 'post' | 'patch' | 'delete'

export interface Operation<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> {
  id: string
  method: Method
  /** With its parameters in braces. */
  path: string
  tag: string
  summary: string
  description: string
  /** Whether it needs a key. */
  key?: boolean
  /** A value that these refuse is 404, except a date. */
  params?: Params
  /** The sentence of that 404, where it is not the one of quotes. */
  notFoundText?: string
  /** Other parameters are 400 where the operation reads any. */
  query?: Query
  /** Request headers. */
  headers?: Fields
  body?: { schema: Body; example: unknown; optional?: boolean }
  answers: Readonly<Record<number, Answer | ((terms: Terms) => Answer)>>
  /** The tool for assistants that runs it. */
  tool?: Tool
}

export interface Tool {
  name: string
  title: string
  description: string
}

/** What a subscriber's server gets: a POST. */
export interface Event {
  id: string
  /** In the payload's `event`. */
  name: string
  tag: string
  summary: string
  description: string | ((terms: Terms) => string)
  headers: Fields
  body: { schema: z.ZodType; example: unknown }
}

/** Operations of one subject, in the order of the documents. */
export interface Resource {
  tag: { name: string; description: string }
  operations: readonly Operation[]
  events?: readonly Event[]
  /** Documented only where the compatibility addresses answer. */
  compatibility?: boolean
}

/** Keeps the types of an operation's schemas. */
export function operation<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
>(definition: Operation<Params, Query, Body>): Operation<Params, Query, Body> {
  return definition
}

/** The schemas that documents name: `z.object(…).register(named, { id: 'Quote' })`. */
export const named = z.registry<{ id: string }>()
