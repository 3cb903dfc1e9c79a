import { describe, expect, test } from '@jest/globals'
import { planForCaller } from '../../../src/http/clients/plan-for-caller.ts'
import type { ApiContext, Caller } from '../../../src/http/context.ts'
import type { PaymentRequest, Verb } from '../../../src/http/payments/plan.ts'
import type { PaymentOptions } from '../../../src/http/schemas/payment-options.ts'
import type { InvoiceRow } from '../../../src/persistence/entities/invoice.ts'
import { seededRandomBytes } from '../../support/random.ts'
import { amount, lines, NOW, requestFor, type Situation, TOMORROW } from '../payments/requests.ts'
import { expectRefused, MERCHANT } from '../schemas/refusals.ts'

const source = 'card_1'
const autoCaptureAt = TOMORROW
const part = amount(1)
const AUTHORIZED: Situation = { status: 'authorized' }
const PARTLY_CAPTURED: Situation = { status: 'completed', capturedMinor: 1000 }

interface Given extends Situation {
  invoice?: Partial<InvoiceRow>
  capturingMinor?: number
}

type Rights = Partial<Pick<Caller, 'kind' | 'allowsClientCaptures' | 'allowsClientAmounts'>>

function planOf(
  verb: Verb,
  options: Partial<PaymentOptions>,
  { invoice, capturingMinor = 0, ...situation }: Given = {},
  rights: Rights = {},
) {
  const caller: Caller = { ...MERCHANT, kind: 'client', ...rights }
  const request = requestFor(verb, options, situation)
  const wanted: PaymentRequest = {
    ...request,
    actor: caller.kind === 'client' ? 'client' : 'merchant',
    invoice: { ...request.invoice, deviceChannel: 'web', returnUrl: null, requireBackendCapture: false, ...invoice },
    transaction: request.transaction && { ...request.transaction, capturingMinor },
  }
  return planForCaller({ state: { caller } } as ApiContext, wanted, seededRandomBytes('plan'), NOW)
}

type Row = [Verb, Partial<PaymentOptions>]
const ONLY_WITH_KEY = /^can be set with a secret key only$/
const NEEDS_SECRET_KEY = expect.objectContaining({
  code: 'request.authentication.invalid',
  message: expect.stringMatching(/needs a secret key\.$/),
})

describe('what is authorized', () => {
  const CAPTURES: Row[] = [
    ['capture', {}],
    ['capture', part],
    ['capture', { source }],
    ['capture', { autoCaptureAt }],
    ['capture', { source, autoCaptureAt }],
    ['capture', { cancelsAutoCapture: true }],
    ['authorize', { source, authorizeOnly: false }],
    ['authorize', { autoCaptureAt }],
  ]

  test.each(CAPTURES)('is neither captured nor scheduled by a client: %s %j', (verb, options) => {
    for (const scheduled of [false, true])
      expect(() => planOf(verb, options, { ...AUTHORIZED, scheduled })).toThrow(NEEDS_SECRET_KEY)
    const captures = { allowsClientCaptures: true }
    const left = { ...AUTHORIZED, invoice: { requireBackendCapture: true } }
    expect(() => planOf(verb, options, left, captures)).toThrow(NEEDS_SECRET_KEY)
    expect(planOf(verb, options, left, { kind: 'key' }).kind).toMatch(/^(capture|schedule-capture)$/)
    if (options !== part)
      expect(planOf(verb, options, AUTHORIZED, captures).kind).toMatch(/^(capture|schedule-capture)$/)
  })

  test('in part, is not captured further', () => {
    expect(() => planOf('capture', amount(1900), PARTLY_CAPTURED)).toThrow(NEEDS_SECRET_KEY)
  })

  test.each<[string, Partial<PaymentOptions>]>([
    ['auto_capture_at', { autoCaptureAt: new Date(TOMORROW.getTime() + 1) }],
    ['auto_capture_at', { autoCaptureAt }],
  ])('is scheduled again by the call that placed it only as an authorization, which names %s', (name, options) => {
    expect(planOf('authorize', { source, ...options }, { ...AUTHORIZED, scheduled: true })).toMatchObject({
      kind: 'authorize',
      capture: null,
      named: [name],
    })
  })
})

describe('a client that sends its call again', () => {
  test('is told where the payment stands, and captures nothing more', () => {
    const nothing = { kind: 'authorize', capture: null, autoCaptureAmountMinor: null, autoCaptureDetailIds: null }
    expect(planOf('capture', { source }, PARTLY_CAPTURED)).toMatchObject(nothing)
    expect(planOf('capture', { source }, { ...AUTHORIZED, capturingMinor: 2900 })).toMatchObject(nothing)
    expect(planOf('capture', { source, ...amount(1900) }, PARTLY_CAPTURED)).toMatchObject(nothing)
  })
})

describe('an invoice that requires a backend capture', () => {
  const left = { requireBackendCapture: true }

  test.each<[string, Verb, Partial<PaymentOptions>, Partial<InvoiceRow>]>([
    ['authorize_only', 'capture', { source }, {}],
    ['authorize_only', 'authorize', { source, authorizeOnly: false }, {}],
    ['auto_capture_at', 'authorize', { source, autoCaptureAt }, {}],
    ['allow_fallback_to_sale', 'authorize', { source, mayFallBackToSale: true }, {}],
    ['capture_amount', 'authorize', { source, ...part }, { autoCaptureAt }],
    ['invoice_detail_ids', 'authorize', { source, ...lines(1) }, { autoCaptureAt }],
  ])('is captured by no %s of a client, whatever the project allows', (name, verb, options, terms) => {
    const given = { invoice: { ...left, ...terms } }
    for (const rights of [{}, { allowsClientCaptures: true, allowsClientAmounts: true }])
      expectRefused(() => planOf(verb, options, given, rights), name, 'invalid-state')
    expect(planOf(verb, options, given, { kind: 'key' })).toMatchObject({ kind: 'authorize' })
  })

  test('is authorized by a client', () => {
    expect(planOf('authorize', { source }, { invoice: left })).toMatchObject({ capture: null, autoCaptureAt: null })
  })
})

describe('a client that says how much is captured', () => {
  test.each<[string, Verb, Partial<PaymentOptions>]>([
    ['capture_amount', 'capture', part],
    ['capture_amount', 'authorize', { ...part, authorizeOnly: false }],
    ['capture_amount', 'authorize', { ...part, autoCaptureAt }],
    ['capture_amount', 'capture', { ...part, autoCaptureAt }],
    ['capture_amount', 'capture', { ...part, captureType: 'non-final' }],
    ['invoice_detail_ids', 'capture', lines(1)],
    ['invoice_detail_ids', 'authorize', { ...lines(1), authorizeOnly: false }],
  ])('by %s of %s %j is refused unless the project allows it', (name, verb, options) => {
    const wanted = { source, ...options }
    for (const rights of [{}, { allowsClientCaptures: true }])
      expectRefused(() => planOf(verb, wanted, {}, rights), name, 'error', ONLY_WITH_KEY)
    for (const rights of [{ allowsClientAmounts: true }, { kind: 'key' } as const])
      expect(planOf(verb, wanted, {}, rights)).toMatchObject({ kind: 'authorize' })
  })

  test('is refused also where the project lets clients capture what is authorized', () => {
    const [captures, both] = [{ allowsClientCaptures: true }, { allowsClientCaptures: true, allowsClientAmounts: true }]
    for (const options of [part, { ...part, autoCaptureAt }]) {
      expectRefused(() => planOf('capture', options, AUTHORIZED, captures), 'capture_amount', 'error', ONLY_WITH_KEY)
      expect(planOf('capture', options, AUTHORIZED, both).kind).toMatch(/^(capture|schedule-capture)$/)
    }
  })
})

describe('an invoice of an app that has no return_url', () => {
  test.each(['authorize', 'capture'] as const)('is paid by no client: %s', (verb) => {
    const app = { deviceChannel: 'android' } as const
    expect(() => planOf(verb, { source }, { invoice: app })).toThrow(
      expect.objectContaining({
        code: 'request.validation.invalid-url',
        message: expect.stringContaining('return_url'),
      }),
    )
    const withWayBack = { ...app, returnUrl: 'com.example.shop://checkout/return' }
    expect(planOf(verb, { source }, { invoice: withWayBack })).toMatchObject({ kind: 'authorize' })
    expect(planOf(verb, { source }, { invoice: app }, { kind: 'key' })).toMatchObject({ kind: 'authorize' })
  })
})
