import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import { TRANSACTION_STATUSES } from '../../domain/transaction.ts'
import { EVENT_NAMES, type EventName } from '../../domain/webhook-event.ts'
import { interfaceDocument } from '../../src/api/document.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { exampleEvent, exampleWebhook } from '../../src/api/examples/events.ts'
import { accessOf } from '../../src/http/endpoint.ts'
import { RESOURCES } from '../../src/http/expansion/resources.ts'
import { errorExample } from '../../src/http/openapi/responses.ts'
import { error } from '../../src/objects/answers.ts'
import { namedObjects } from '../../src/objects/object.ts'
import { webhookBody } from '../../src/objects/webhook-delivery.ts'

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

const document = interfaceDocument() as unknown as Document
const { schemas } = document.components

/** The schemas inside one, with their paths. */
function* within(schema: Schema, path: string): Generator<[path: string, schema: Schema]> {
  yield [path, schema]
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* within(field, `${path}.${name}`)
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* within(part, path)
  if (schema.items !== undefined) yield* within(schema.items, path)
  if (typeof schema.additionalProperties === 'object') yield* within(schema.additionalProperties, `${path}{}`)
}

/** Every object of the document, with its path. */
function* everyObject(value: unknown, path: string): Generator<[path: string, value: object]> {
  if (typeof value !== 'object' || value === null) return
  yield [path, value]
  for (const [name, inner] of Object.entries(value))
    if (!['example', 'examples'].includes(name)) yield* everyObject(inner, `${path}.${name}`)
}

const isObject = (reference = '') => schemas[reference.split('/').at(-1) ?? '']?.properties !== undefined

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
  test('names each operation once', () => {
    const ids = ENDPOINTS.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
  })

  test('lets in whom the router lets in', () => {
    for (const endpoint of ENDPOINTS) {
      const access = accessOf(endpoint)
      const methods = document.paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]
      const operation = methods?.[endpoint.httpMethod.toLowerCase()]
      const keys = access === null ? [] : access.isOpenToClients ? ['secretKey', 'clientKey'] : ['secretKey']
      expect(operation?.security.flatMap(Object.keys)).toEqual(keys)
    }
  })

  test('shows every field that a request takes, and no other', () => {
    for (const { body } of ENDPOINTS) {
      if (body !== undefined) expect(namesOf(schemas[body.name] ?? {}).toSorted()).toEqual(body.input.names.toSorted())
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
    const requests = new Set(ENDPOINTS.flatMap(({ body }) => body?.name ?? []))
    for (const [path, { properties, additionalProperties }] of everySchema) {
      if (properties === undefined) continue
      const [name = ''] = path.split(/[.{]/)
      expect([path, additionalProperties]).toEqual([
        path,
        requests.has(name) || name.endsWith('Input') ? false : undefined,
      ])
    }
  })

  // Each of these kept a generator of clients from making one: see `test/journeys/generated-clients.long.test.ts`.
  test('has one type for a value or null, no constant of true or false, and names what is one of several objects', () => {
    const places = Object.entries(document.paths).flatMap(([path, methods]) => [...everyObject(methods, path)])
    const unreadable = [...places, ...everyObject(schemas, '')].filter(([, schema]) => {
      const { type, const: constant, anyOf = [], oneOf, discriminator } = schema as Schema & Record<string, unknown>
      const types = [type ?? []].flat().filter((one) => one !== 'null')
      const objects = anyOf.filter((option) => 'properties' in option || isObject(option.$ref))
      return types.length > 1 || typeof constant === 'boolean' || objects.length > 1 || (oneOf && !discriminator)
    })
    expect(unreadable.map(([path]) => path)).toEqual([])
  })

  test('says how small and how large a number of a request may be, and that lines are named or left out', () => {
    const { properties: line = {} } = schemas.InvoiceInput?.properties?.details?.items ?? {}
    const { properties: validity = {} } =
      schemas.GatewayConfigurationInput?.properties?.authorization_validity?.items ?? {}
    expect(line.quantity).toMatchObject({ minimum: 1, maximum: 2_147_483_647 })
    expect(validity.seconds).toMatchObject({ minimum: 60, maximum: 604_800 })
    expect(schemas.CardInput?.properties?.exp_year).toMatchObject({ minimum: 10, maximum: 2_099 })
    expect(schemas.ClockAdvanceInput?.properties?.seconds).toMatchObject({ minimum: 1, maximum: 7_776_000 })
    for (const name of ['PaymentOptions', 'RefundInput'])
      expect(schemas[name]?.properties?.invoice_detail_ids).toMatchObject({ minItems: 1, maxItems: 1_000 })
  })

  test('names your project by its id', () => {
    const [id] = document.paths['/projects/{id}']?.get?.parameters ?? []
    expect(id).toMatchObject({ name: 'id', example: expect.stringMatching(/^proj_/) })
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
})

/** What JSON makes of an example: what is undefined is not there. */
const sent = (example: unknown): unknown => JSON.parse(JSON.stringify(example))

function problemsOf(schema: z.ZodType, example: unknown): string {
  const { error: wrong } = schema.safeParse(sent(example))
  return wrong === undefined ? '' : z.prettifyError(wrong)
}

describe('the examples of the document', () => {
  test.each(ENDPOINTS)('of $place are as its schemas say', ({ answers, body }) => {
    expect(Object.keys(answers.examples)).toEqual(Object.keys(answers.bodies))
    for (const [status, schema] of Object.entries(answers.bodies))
      for (const example of Object.values(answers.examples[Number(status)] ?? {}))
        expect(problemsOf(schema, example)).toBe('')
    if (body !== undefined) expect(problemsOf(body.input.json, body.example)).toBe('')
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
})
