import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { FIXTURES } from '../wire-fixtures.ts'

/**
 * The library for iOS as far as it can be checked without a Swift toolchain: its source holds every name and constant
 * of the wire fixtures, and no others. `ios.test.ts` compiles it where there is one.
 */

const FOLDER = fileURLToPath(new URL('../../../clients/ios', import.meta.url))
const SOURCES = join(FOLDER, 'Sources/Holdfast')
const TESTS = join(FOLDER, 'Tests/HoldfastTests')

const read = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
const sources = read(SOURCES)
const tests = read(TESTS)
const fileNamed = (name: string) => sources[name] ?? ''

const { protocol, actions, errors } = FIXTURES

/** A text as Swift writes it. */
const literal = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** The texts of the first list behind these words. */
function listAfter(text: string, words: string): string[] {
  const at = text.indexOf(words)
  if (at === -1) throw new Error(`"${words}" is not there.`)
  const list = text.slice(text.indexOf('[', at), text.indexOf(']', at))
  return [...list.matchAll(/"([^"]*)"/g)].map(([, item = '']) => item)
}

/** The names of all fields, at every depth, also inside of texts that are JSON themselves. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value === 'string' && value.startsWith('{')) return namesIn(JSON.parse(value))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
}

describe('the Swift source', () => {
  test('writes the fields of a request in the order of the fixtures', () => {
    const fields = [...fileNamed('AuthorizationRequest.swift').matchAll(/^ {12}\("(\w+)", /gm)].map(([, name]) => name)
    expect(fields).toEqual(protocol.request_fields)
  })

  test('asks at the addresses of the fixtures', () => {
    const api = fileNamed('API.swift')
    for (const { method, path } of [protocol.authorize, protocol.invoice]) {
      const written = ['invoiceId', 'request.invoiceId'].map(
        (name) => `"${method}", "${path.replace('{invoice_id}', `\\(${name})`)}"`,
      )
      expect(written.filter((one) => api.includes(one))).toHaveLength(1)
    }
    for (const name of Object.values(protocol.headers)) expect(api).toContain(`forHTTPHeaderField: "${name}"`)
  })

  test('knows the actions of the fixtures, and no others', () => {
    const known = fileNamed('CustomerAction.swift').matchAll(/^ {8}case ("[^:]+"):/gm)
    const types = [...known].flatMap(([, names = '']) => names.split(', ').map((name) => name.slice(1, -1)))
    expect(types.toSorted()).toEqual(protocol.action_types.toSorted())
  })

  test('reads every field of the data of native actions, and no others', () => {
    const text = fileNamed('CustomerAction.swift')
    const fieldsOf = (struct: string) => {
      const [, body = ''] = new RegExp(`struct ${struct}: Decodable \\{(.*?)\\n\\n`, 's').exec(text) ?? []
      return [...body.matchAll(/let (\w+): (\S+)/g)].map(([, name]) => String(name))
    }
    const decoded = (type: string) =>
      Object.keys(actions.find((action) => action.customer_action.type === type)?.decoded ?? {})
    expect(fieldsOf('WireConfiguration')).toEqual(decoded('fingerprint-mobile'))
    expect(fieldsOf('WireChallenge')).toEqual(decoded('challenge-mobile'))
  })

  const written = actions.filter(({ client }) => client === 'app').flatMap((action) => action.next_sources)

  test('writes every field of the next sources', () => {
    const text = fileNamed('CustomerAction.swift')
    const names = new Set(written.filter(({ means }) => means !== 'returned').flatMap((next) => namesIn(next.text)))
    // Those of the bodies that are constants, checked below.
    for (const constant of ['canceled', 'threeDS2FingerprintTimeout']) names.delete(constant)
    expect(names.size).toBeGreaterThan(10)
    for (const name of names) expect(text).toContain(`"${name}",`)
  })

  test('writes the constants of the next sources to the letter', () => {
    const text = fileNamed('CustomerAction.swift')
    const bodies = written.flatMap(({ after, text: next }) =>
      next !== null && ['canceled', 'timed out'].includes(after) ? [String(JSON.parse(next).body)] : [],
    )
    expect(new Set(bodies).size).toBe(3)
    for (const body of bodies) expect(text).toContain(`.text(${literal(body)})`)
    for (const constant of [protocol.source_prefix, 'app', 'Y', 'N']) expect(text).toContain(literal(constant))
  })

  test('reads fields of answers that the fixtures have', () => {
    const known = new Set(namesIn([FIXTURES.flows, FIXTURES.answers, FIXTURES.flow_defaults]))
    const resources = fileNamed('Resources.swift')
    const renamed = [...resources.matchAll(/^ {8}case \w+ = "(\w+)"/gm)].map(([, name]) => String(name))
    const plain = [...resources.matchAll(/^ {8}case ([\w, ]+)$/gm)].flatMap(([, names = '']) => names.split(', '))
    expect(renamed.length + plain.length).toBeGreaterThan(15)
    expect([...renamed, ...plain].filter((name) => !known.has(name))).toEqual([])
  })

  test('has the kinds of errors of the fixtures, and the codes of each', () => {
    const text = fileNamed('PaymentError.swift')
    const kinds = [...text.matchAll(/^ {8}case \w+ = "([\w-]+)"/gm)].map(([, kind]) => kind)
    expect(kinds).toEqual(protocol.error_kinds)
    const codesOf = (kind: string) => errors.filter((row) => row.kind === kind).map((row) => row.error_type)
    expect(listAfter(text, 'let authenticationFailures')).toEqual(codesOf('authentication-failed').toSorted())
    expect(listAfter(text, 'let cancellations').toSorted()).toEqual(codesOf('canceled').toSorted())
    for (const code of codesOf('in-progress')) expect(text).toContain(literal(code))
  })

  test('has the limits and statuses of the fixtures', () => {
    const flow = fileNamed('AuthorizationFlow.swift')
    expect(flow).toContain(`static let roundsMax = ${protocol.rounds_max}\n`)
    expect(fileNamed('HoldfastClient.swift')).toContain(
      `var fingerprintTimeout: TimeInterval = ${protocol.fingerprint_seconds}\n`,
    )
    expect(listAfter(flow, 'let paidStatuses')).toEqual(protocol.invoice_statuses.paid)
    expect(listAfter(flow, 'let failedStatuses')).toEqual(protocol.invoice_statuses.failed)
    expect(listAfter(flow, 'let openStatuses')).toEqual(protocol.open_transaction_statuses)
  })

  test.each(Object.entries(sources))('%s logs nothing, stores nothing, and cannot crash the app', (_, text) => {
    const code = withoutComments(text)
    expect(code).not.toMatch(/\b(?:print|debugPrint|NSLog|os_log|fatalError|preconditionFailure)\(|\bLogger\b/)
    expect(code).not.toMatch(/UserDefaults|FileManager|Keychain|\btry!|\bas!/)
    expect(code).not.toMatch(/\bcvc|exp_month|\bpan\b|cardNumber/i)
  })

  test.each(Object.entries({ ...sources, ...tests }))('%s has every bracket closed', (_, text) => {
    expect(bracketsLeftOpen(text)).toEqual([])
  })
})

describe('the Swift tests', () => {
  test('read every section of the fixtures that concerns an app', () => {
    const all = Object.values(tests).join('\n')
    for (const section of [
      'actions',
      'broken_actions',
      'broken_device_data',
      'requests',
      'errors',
      'return_urls',
      'returns',
      'flows',
    ])
      expect(all).toContain(`rows("${section}")`)
    expect(all).toContain('appendingPathComponent("wire-fixtures.json")')
  })
})

test('the README of the Swift library says where it was compiled, and where not', () => {
  expect(readFileSync(join(FOLDER, 'README.md'), 'utf8')).toMatch(/with Swift [\d.]+ on Linux, and not yet with Xcode/)
})

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/ \/\/ .*$/gm, '')
}

/** Brackets without their other half, outside of comments and texts; interpolations inside of texts are looked at. */
function bracketsLeftOpen(text: string): string[] {
  const closes: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
  const open: string[] = []
  let at = 0
  while (at < text.length) {
    const char = text[at] ?? ''
    const inText = open.at(-1) === '"'
    if (!inText && text.startsWith('//', at)) at = endOfLine(text, at)
    else if (inText && text.startsWith('\\(', at)) {
      open.push('(')
      at += 1
    } else if (inText && char === '\\') at += 1
    else if (char === '"') inText ? open.pop() : open.push('"')
    else if (!inText && '([{'.includes(char)) open.push(char)
    else if (!inText && char in closes && open.pop() !== closes[char]) return [`${char} at ${at}`]
    at += 1
  }
  return open
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
