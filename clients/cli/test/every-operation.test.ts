import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { interfaceDocument } from '../../../scripts/node-client/document.ts'
import { METHODS } from '../../../scripts/node-client/methods.ts'
import { listen } from '../../../test/support/listen.ts'
import { OPERATIONS } from '../src/generated/operations.ts'
import { type Field, kebab, wordsOf } from '../src/operations/operation.ts'
import { makeTerminal, type Terminal } from './terminal.ts'

/** Every operation of the interface by its command: it sends what the OpenAPI document says, and prints the answer. */

interface Sent {
  method: string
  url: string
  key: string | string[] | undefined
  body: object
}

const CREDENTIALS = { HOLDFAST_PROJECT_ID: 'test-proj_1', HOLDFAST_SECRET_KEY: 'key_sandbox_0123456789' }

let sent: Sent[] = []
/** What the next requests are answered with. */
let answer: object = {}
let service: Awaited<ReturnType<typeof listen>>
let terminal: Terminal

beforeAll(async () => {
  service = await listen(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = JSON.parse((await textOf(request)) || '{}')
    sent.push({ method, url, key: headers['idempotency-key'], body })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  terminal = await makeTerminal(CREDENTIALS.HOLDFAST_SECRET_KEY, { ...CREDENTIALS, HOLDFAST_URL: service.url })
})
afterAll(async () => {
  await terminal.remove()
  await service.close()
})
beforeEach(() => {
  sent = []
})

/** As it is typed, and as it must arrive. */
function typedValue({ name, kind, choices }: Field): [typed: string, value: unknown] {
  switch (kind) {
    case 'number':
      return ['7', 7]
    case 'boolean':
      return ['false', false]
    case 'list':
      return ['one,two', ['one', 'two']]
    case 'json':
      return [`{"${name}":[1]}`, { [name]: [1] }]
    default:
      return choices?.[0] === undefined ? [`a ${name}`, `a ${name}`] : [choices[0], choices[0]]
  }
}

const inDocument = Object.entries(interfaceDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([verb, { operationId, responses }]) => {
    const operation = OPERATIONS.find(({ method }) => method === METHODS[operationId as keyof typeof METHODS])
    const { example, examples = {} } = responses[200].content?.['application/json'] ?? {}
    const answered = example ?? Object.values(examples)[0]?.value ?? {}
    return operation === undefined ? [] : [{ command: operation.method, operation, path, verb, answered }]
  }),
)

test('every operation of the client for Node has a command', () => {
  expect(inDocument.map(({ command }) => command).toSorted()).toEqual(Object.values(METHODS).toSorted())
})

describe.each(inDocument)('holdfast $command', ({ operation, path, verb, answered }) => {
  const { ids, fields, isList, changes } = operation

  test(`is ${verb.toUpperCase()} ${path} with all of its fields, and prints the answer`, async () => {
    answer = answered
    const given = ids.map((_, index) => `id_${index + 1}`)
    const values = fields.map((field) => [field.name, ...typedValue(field)] as const)
    const options = values.flatMap(([name, typed]) => [`--${kebab(name)}`, typed])
    const key = changes ? ['--idempotency-key', 'key-1'] : []
    const page = isList ? ['--filter', 'a:b', 'c:d', '--limit', '5', '--order', 'asc', '--start-after', 'x_1'] : []

    const printed = await terminal.json(...wordsOf(operation), ...given, ...options, ...key, ...page)

    const query = isList ? '?filter=a%3Ab&filter=c%3Ad&limit=5&order=asc&start_after=x_1' : ''
    const [address = '', ...rest] = path.split(/\{\w+\}/)
    const url = rest.reduce((begun, part, index) => `${begun}${given[index]}${part}`, address) + query
    const body = Object.fromEntries(values.map(([name, , value]) => [name, value]))
    expect(sent).toEqual([{ method: verb.toUpperCase(), url, key: changes ? 'key-1' : undefined, body }])
    // The object or the objects of the answer, or all of it.
    expect([answered, ...Object.values(answered)]).toContainEqual(isList ? printed.data : printed)
  })

  test('has help with an example', async () => {
    const { code, out } = await terminal.run([...wordsOf(operation), '--help'])
    expect(code).toBe(0)
    expect(out).toContain(`Examples:\n  holdfast ${wordsOf(operation).join(' ')}`)
    // An id of the example is nobody's.
    expect(out).not.toMatch(/_[A-Za-z0-9]{32}\b/)
    if (operation.method === 'routingRules.explain') expect(out).toContain(`--payment '{"amount":"29.00",`)
  })
})
