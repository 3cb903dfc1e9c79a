import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { ERRORS, type ErrorCode, retryClassOf } from '../../domain/errors.ts'
import type { Stack } from '../support/stack.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { type AskOptions, PLAYED_CODES, PROOFS, type Proof, type ProvedAnswer, type Prover } from './error-proofs.ts'
import { COMBINATIONS, WRONG_VALUES } from './wrong-fields.ts'

const stack = stackForFile()
let prover: Prover

beforeAll(async () => {
  prover = { ...stack, ask: askAs(stack) }
})

const ROWS = Object.entries(PROOFS) as [ErrorCode, Proof][]

describe('the code', () => {
  test.each(ROWS.filter(([, proof]) => typeof proof === 'function'))(
    '%s is what a request can be answered with',
    async (code, proof) => {
      if (typeof proof !== 'function') throw new Error(`${code} is not proved here.`)
      const answer = await proof(prover)
      expect(answer).toMatchObject({ status: ERRORS[code].status, body: { success: false, error_type: code } })
      expect(answer.body.message).toMatch(/\.$/)
      expect(answer.body.request_id).toMatch(/^req_/)
    },
  )

  test.each(ROWS.filter(([, proof]) => typeof proof !== 'function'))(
    '%s is proved by a test that is there',
    (code, proof) => {
      if (typeof proof === 'function') throw new Error(`${code} is proved here.`)
      const source = readFileSync(new URL(`../../${proof.file}`, import.meta.url), 'utf8')
      expect(source).toContain(`test('${proof.title}'`)
      expect(source).toContain(`'${code}'`)
    },
  )

  test('is in one of the three tables, whichever it is', () => {
    const refused = [...WRONG_VALUES, ...COMBINATIONS].map(([, , code]) => code)
    const proved = new Set([...Object.keys(PROOFS), ...PLAYED_CODES, ...refused])
    const isProved = (code: string) => proved.has(code) || proved.has(code.replace('request.validation.', ''))
    expect(Object.keys(ERRORS).filter((code) => !isProved(code))).toEqual([])
  })
})

describe('a payment', () => {
  /** The codes differ in their words, and some are of another status where a request is refused for them. */
  const SAMPLE = PLAYED_CODES.filter((code, index) => index % 10 === 0 || ERRORS[code].status !== 410)

  test('fails with 410 and the code of its gateway, which its transaction keeps', async () => {
    const told = await Promise.all(SAMPLE.map(async (code) => [code, await failWith(code)]))
    expect(told).toEqual(SAMPLE.map((code) => [code, failed(code)]))
  })
})

const failed = (code: ErrorCode) => ({
  status: 410,
  body: { success: false, outcome: 'failed', error_type: code, authorized: false, captured: false },
  transaction: { status: 'failed', error_code: code },
})

/** Has the simulator decline an authorization with a code, and gives what the merchant learns of it. */
async function failWith(code: ErrorCode): Promise<ReturnType<typeof failed>> {
  const [invoice, card] = await Promise.all([stack.createInvoice(), stack.createCard({ name: `SANDBOX:${code}` })])
  const { status, body } = await stack.post(`/invoices/${invoice.id}/authorize`, { source: card.id })
  const { success, outcome, error_type, authorized, captured } = body
  const { transaction_id: transactionId } = (await stack.get(`/invoices/${invoice.id}`)).body.invoice
  const { transaction } = (await stack.get(`/transactions/${transactionId}`)).body
  return {
    status,
    body: { success, outcome, error_type, authorized, captured },
    transaction: { status: transaction.status, error_code: transaction.error_code },
  }
}

describe('GET /error-codes', () => {
  const list = async () => (await fetch(new URL('/error-codes', stack.baseUrl))).json() as Promise<ErrorList>
  interface ErrorList {
    error_codes: Record<string, unknown>[]
  }

  test('tells a caller without a key what every code means and what to do', async () => {
    expect(await list()).toEqual({
      success: true,
      error_codes: Object.entries(ERRORS).map(([code, { status, message, advice }]) => ({
        code,
        http_status: status,
        message,
        advice,
        retry_class: retryClassOf(code),
      })),
    })
  })

  test('has every code once, and the codes of a family together', async () => {
    const codes = (await list()).error_codes.map(({ code }) => String(code))
    expect(new Set(codes).size).toBe(codes.length)
    const families = codes.map((code) => code.split('.')[0]).filter((family, index, all) => family !== all[index - 1])
    expect(new Set(families).size).toBe(families.length)
  })
})

/** Any method with any body, with the key of the stack's project unless other headers say otherwise. */
function askAs({ baseUrl, project }: Stack): Prover['ask'] {
  const authorization = `Basic ${Buffer.from(`${project.id}:${project.secretKey}`).toString('base64')}`
  return async (method: string, path: string, { body, headers }: AskOptions = {}): Promise<ProvedAnswer> => {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
}
