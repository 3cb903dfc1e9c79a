import { parse } from 'node:querystring'
import { expect } from '@jest/globals'
import { ApiError } from '../../src/http/api-error.ts'
import { readJson } from '../../src/http/bodies/json.ts'
import type { ApiContext, Caller } from '../../src/http/context.ts'
import { INVOICE_BODY, type ParsedBody } from '../../src/http/middleware/body.ts'

export const NOW = new Date('2026-11-21T09:00:00.000Z')

/** A merchant's server in the sandbox. */
export const MERCHANT: Caller = {
  kind: 'key',
  projectId: 'proj_1',
  environment: 'sandbox',
  sandbox: true,
  apiKeyId: 'key_1',
  permissions: [],
  isSuspended: false,
  allowsClientCaptures: false,
  allowsClientOverrides: false,
  allowsClientAmounts: false,
}

type Fields = Record<string, unknown>

/** A request with these fields, as it is read from its JSON. */
export const jsonBody = (fields: Fields, limits = INVOICE_BODY): ParsedBody => ({
  fields: readJson(JSON.parse(JSON.stringify(fields)), JSON.stringify(fields), limits),
  isForm: false,
})

/** What is read of a merchant's request with this query, and these fields in its body. */
export const queried = (querystring: string, fields?: Fields): ApiContext =>
  ({
    querystring,
    query: parse(querystring),
    request: { fields },
    state: { caller: MERCHANT },
  }) as unknown as ApiContext

/** A body with a value in the field of this dotted name; `details.0` is the first of two lines. */
export function withValue(body: Fields, name: string, value: unknown): Fields {
  const [step = '', ...rest] = name.split('.')
  if (rest.length === 0) return { ...body, [step]: value }
  if (step === 'details') {
    const line = { name: 'Phone', amount: '1.00' }
    return { ...body, details: [withValue(line, rest.slice(1).join('.'), value), line] }
  }
  return { ...body, [step]: withValue((body[step] ?? {}) as Fields, rest.join('.'), value) }
}

/** The error that a reading function throws. */
export function refusalOf(read: () => unknown): ApiError {
  try {
    read()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('The fields were taken.')
}

/**
 * @param code without `request.validation.` in front.
 * @param words what the field's message says.
 */
export function expectRefused(read: () => unknown, name: string, code: string, words = /./): void {
  const { code: refusedWith, message, invalidFields } = refusalOf(read)
  expect({ code: refusedWith, invalidFields }).toEqual({
    code: code.includes('.') ? code : `request.validation.${code}`,
    invalidFields: [{ name, message: expect.stringMatching(words) }],
  })
  expect(message).toContain(name)
}

/** Values that are no positive amount of euros; of a number its text in JSON counts. */
export const NO_AMOUNTS = [
  ...['1e3', '-1', '+1', '1.234', '0', '0.00', '', ' ', '1,00', '1 000', '.5', '1.', '0x10', 'NaN', 'Infinity', '١'],
  ...['123456789012', '1.00000', -29, 1e21, true, [], {}, ['29.00']],
]

export const NO_FLAGS = ['yes', 'true', 'false', '', 1, 0, [], {}]

/** Instants that have passed at `NOW`, and texts that name no instant. */
export const NO_FUTURE_INSTANTS = [
  ...['2026-11-21T08:59:59Z', '2026-11-21T09:00:00Z', '2026-11-21T10:30:00+02:00', '2026-11-22T09:00:00'],
  ...['2026-11-22', '2026-11-31T09:00:00Z', '2027-02-30T09:00:00Z', 'tomorrow', '', '2026-11-22T25:00:00Z'],
  ...[1_795_338_000, true],
]

export const NUL = '\u0000'
export const text = (length: number): string => 'x'.repeat(length)
