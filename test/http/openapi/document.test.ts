import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../../domain/errors.ts'
import { TRANSACTION_STATUSES } from '../../../domain/transaction.ts'
import { EVENT_NAMES, type EventName } from '../../../domain/webhook-event.ts'
import { routesOf } from '../../../src/http/app.ts'
import type { AppDeps } from '../../../src/http/dependencies.ts'
import { RESOURCES } from '../../../src/http/expansion/resources.ts'
import { error } from '../../../src/http/openapi/answers/error.ts'
import { namedObjects } from '../../../src/http/openapi/answers/objects.ts'
import { webhookBody } from '../../../src/http/openapi/answers/webhook.ts'
import { openApiDocument } from '../../../src/http/openapi/document.ts'
import { ANSWER_EXAMPLES, errorExample } from '../../../src/http/openapi/examples/answers.ts'
import { exampleEvent, exampleWebhook } from '../../../src/http/openapi/examples/events.ts'
import { REQUEST_EXAMPLES } from '../../../src/http/openapi/examples/requests.ts'
import { OPERATIONS } from '../../../src/http/openapi/operations/index.ts'
import { accessesOf } from '../../../src/http/route-access.ts'
import { VIEWS } from '../../../src/presenters/client-view.ts'

interface Schema {
  description?: string
  type?: string | string[]
  enum?: string[]
  $ref?: string
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface Document {
  paths: Record<string, Record<string, { operationId: string; security: object[]; parameters: { name?: string }[] }>>
  webhooks: Record<string, object>
  components: { schemas: Record<string, Schema> }
}

const endpoints = accessesOf(routesOf({} as AppDeps))
const document = openApiDocument(endpoints) as unknown as Document
const { schemas } = document.components

/** The schemas inside one, with their paths. */
function* within(schema: Schema, path: string): Generator<[path: string, schema: Schema]> {
  yield [path, schema]
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* within(field, `${path}.${name}`)
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* within(part, path)
  if (schema.items !== undefined) yield* within(schema.items, path)
  if (typeof schema.additionalProperties === 'object') yield* within(schema.additionalProperties, `${path}{}`)
}

const everySchema = Object.entries(schemas).flatMap(([name, schema]) => [...within(schema, name)])

/** The fields of an object, through lists and alternatives, by dotted names. */
function namesOf(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const parts = [field, field.items ?? {}, ...(field.anyOf ?? [])]
    const inner = parts.flatMap((part) => namesOf(part, `${prefix}${name}.`))
    return inner.length === 0 ? [`${prefix}${name}`] : inner
  })
}

describe('the document of the interface', () => {
  test('describes every endpoint of the router and no other', () => {
    const routes = endpoints.map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(OPERATIONS).toSorted()).toEqual(routes.toSorted())
  })

  test('names each operation once', () => {
    const ids = Object.values(OPERATIONS).map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
  })

  test('lets in whom the router lets in', () => {
    for (const { method, path, access } of endpoints) {
      const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      const keys = access === null ? [] : access.isOpenToClients ? ['secretKey', 'clientKey'] : ['secretKey']
      expect(operation?.security.flatMap(Object.keys)).toEqual(keys)
    }
  })

  test('shows every field that a request takes, and no other', () => {
    for (const { request } of Object.values(OPERATIONS)) {
      if (request === undefined) continue
      expect(namesOf(schemas[request.name] ?? {}).toSorted()).toEqual(request.input.names.toSorted())
    }
  })

  test('describes every field of every request and answer in a sentence', () => {
    const fields = everySchema.flatMap(([path, { properties = {} }]) =>
      Object.entries(properties).map(([name, field]) => [`${path}.${name}`, field] as const),
    )
    const isDescribed = ({ description, $ref, anyOf = [] }: Schema) =>
      description !== undefined || $ref !== undefined || anyOf[0]?.$ref !== undefined
    expect(fields.length).toBeGreaterThan(1_000)
    expect(fields.filter(([, field]) => !isDescribed(field)).map(([path]) => path)).toEqual([])
    const sentences = everySchema.map(([, { description }]) => description).filter((text) => text !== undefined)
    expect(sentences.filter((text) => !/[.:]$|^`/.test(text))).toEqual([])
  })

  test('refuses unknown fields of requests, and leaves room for further ones in answers', () => {
    const requests = new Set(Object.values(OPERATIONS).flatMap(({ request }) => request?.name ?? []))
    for (const [path, { properties, additionalProperties }] of everySchema) {
      if (properties === undefined) continue
      const [name = ''] = path.split(/[.{]/)
      expect([path, additionalProperties]).toEqual([
        path,
        requests.has(name) || name === 'RuleInput' ? false : undefined,
      ])
    }
  })

  test('has the words of the domain', () => {
    expect(schemas.Transaction?.properties?.status?.enum).toEqual(TRANSACTION_STATUSES)
    expect(schemas.ErrorCode?.enum).toEqual(Object.keys(ERRORS))
    expect(schemas.EventName?.enum).toEqual(Object.keys(EVENT_NAMES))
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(EVENT_NAMES))
  })

  test('shows of each object the relations that can be expanded', () => {
    const names: Record<string, string> = { dispute: 'Dispute', gateway_configuration: 'GatewayConfiguration' }
    for (const [resource, { relations }] of Object.entries(RESOURCES)) {
      const name = names[resource] ?? resource.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
      for (const relation of Object.keys(relations)) expect(schemas[name]?.properties).toHaveProperty(relation)
    }
  })

  test('has every object that clients see, with the fields that they see', () => {
    const objects: Record<string, string> = {
      invoice: 'Invoice',
      invoice_detail: 'InvoiceLine',
      device: 'Device',
      transaction: 'Transaction',
      card: 'Card',
      card_information: 'CardInformation',
      token: 'Token',
      gateway_configuration: 'GatewayConfiguration',
      customer_action: 'CustomerAction',
      invalid_field: 'InvalidField',
    }
    for (const [view, name] of Object.entries(objects)) {
      for (const field of Object.keys(VIEWS[view as keyof typeof VIEWS]))
        expect(schemas[name]?.properties).toHaveProperty(field)
    }
  })
})

/** What JSON makes of an example: what is undefined is not there. */
const sent = (example: unknown): unknown => JSON.parse(JSON.stringify(example))

function problemsOf(schema: z.ZodType, example: unknown): string {
  const { error: wrong } = schema.safeParse(sent(example))
  return wrong === undefined ? '' : z.prettifyError(wrong)
}

describe('the examples of the document', () => {
  test.each(Object.entries(OPERATIONS))('of %s are as its schemas say', (place, { answers, request }) => {
    for (const [status, schema] of Object.entries(answers)) {
      const examples = Object.values(ANSWER_EXAMPLES[place]?.[Number(status)] ?? {})
      expect(examples).not.toEqual([])
      for (const example of examples) expect(problemsOf(schema, example)).toBe('')
    }
    if (request === undefined) return
    const examples = [REQUEST_EXAMPLES[request.name], REQUEST_EXAMPLES[place]].filter((one) => one !== undefined)
    expect(examples).not.toEqual([])
    for (const example of examples) expect(problemsOf(request.input.json, example)).toBe('')
  })

  test('show every error', () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) expect(problemsOf(error, errorExample(code))).toBe('')
  })

  test('show every event, and its webhook', () => {
    const event = namedObjects().get('Event') ?? z.never()
    for (const name of Object.keys(EVENT_NAMES) as EventName[]) {
      expect(problemsOf(event, exampleEvent(name))).toBe('')
      expect(problemsOf(webhookBody, exampleWebhook(name))).toBe('')
    }
  })

  test('belong to something', () => {
    expect(Object.keys(ANSWER_EXAMPLES).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
    const requests = new Set(Object.values(OPERATIONS).flatMap(({ request }) => request?.name ?? []))
    const named = Object.keys(REQUEST_EXAMPLES).filter((name) => !(name in OPERATIONS))
    expect(named.toSorted()).toEqual([...requests].toSorted())
  })
})
