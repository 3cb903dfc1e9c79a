import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { FIXTURES } from './wire-fixtures.ts'

/**
 * The library for iOS as far as it can be checked without a Swift toolchain: its source holds every name and constant
 * of the wire fixtures, and no others. `ios.long.test.ts` compiles it where there is one.
 */

const SOURCES = fileURLToPath(new URL('../ios/Sources/Holdfast', import.meta.url))

const fileNamed = (name: string) => readFileSync(join(SOURCES, name), 'utf8')

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

describe('the Swift source', () => {
  test('writes the fields of a request in the order of the fixtures', () => {
    const fields = [...fileNamed('AuthorizationRequest.swift').matchAll(/^ {12}\("(\w+)", /gm)].map(([, name]) => name)
    expect(fields).toEqual(protocol.request_fields)
  })

  test('knows the actions of the fixtures, and no others', () => {
    const known = fileNamed('CustomerAction.swift').matchAll(/^ {8}case ("[^:]+"):/gm)
    const types = [...known].flatMap(([, names = '']) => names.split(', ').map((name) => name.slice(1, -1)))
    expect(types.toSorted()).toEqual(protocol.action_types.toSorted())
  })

  const written = actions.filter(({ client }) => client === 'app').flatMap((action) => action.next_sources)

  test('writes the constants of the next sources to the letter', () => {
    const text = fileNamed('CustomerAction.swift')
    const bodies = written.flatMap(({ after, text: next }) =>
      next !== null && ['canceled', 'timed out'].includes(after) ? [String(JSON.parse(next).body)] : [],
    )
    expect(new Set(bodies).size).toBe(3)
    for (const body of bodies) expect(text).toContain(`.text(${literal(body)})`)
    for (const constant of [protocol.source_prefix, 'app', 'Y', 'N']) expect(text).toContain(literal(constant))
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
})
