import { beforeEach, expect, test } from '@jest/globals'
import { beginAttempt } from '../../../activities/payment/begin-attempt.ts'
import type { LookUp } from '../../../domain/operation.ts'
import { nextDue } from '../../../domain/payment.ts'
import { systemClock } from '../../../src/clock.ts'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import { guardGateway } from '../../../src/gateways/guard/guard-gateway.ts'
import { HOUR_MS, lostAnswer, NO_ANSWER, paymentsForFile, toEveryCall } from '../payments.ts'

/** The guard's own answer. */
const SHUT = { kind: 'declined', code: 'gateway.network-error' }

/** A new guard, which has seen no failure. */
let closeCircuit: () => void = () => undefined

const payments = paymentsForFile({
  guard(gateway): Gateway {
    // A circuit that has just been opened stays so for every test.
    const guard = () => guardGateway(gateway, { clock: systemClock, onChange: () => undefined, openMs: [HOUR_MS] })
    let guarded = guard()
    closeCircuit = () => {
      guarded = guard()
    }
    return {
      ...gateway,
      authorize: (...call) => guarded.authorize(...call),
      capture: (...call) => guarded.capture(...call),
      void: (...call) => guarded.void(...call),
      refund: (...call) => guarded.refund(...call),
      lookUp: (...call) => guarded.lookUp(...call),
    }
  },
})
beforeEach(() => closeCircuit())

/** Payments of others are lost until one is not sent; then the gateway is well again, and its circuit open. */
const openCircuit = () =>
  payments.gateway.answersDuring(toEveryCall(NO_ANSWER), async () => {
    const kinds: string[] = []
    while (kinds.at(-1) !== 'declined' && kinds.length < 20) kinds.push((await payments.authorize()).result.answer.kind)
    expect(new Set(kinds.slice(0, -1))).toEqual(new Set(['pending']))
    expect(kinds.at(-1)).toBe('declined')
  })
const countRequests = async (invoiceId: string, type: string) =>
  (await payments.requestsOf(invoiceId)).filter((request) => request.type === type).length

test('an open circuit fails a payment at once, for certain, and lets it be paid when the gateway is back', async () => {
  await openCircuit()
  const { invoiceId, result } = await payments.authorize()
  expect(result).toMatchObject({ answer: SHUT, payment: { status: 'failed', authorizedMinor: 0 } })
  expect(await payments.requestsOf(invoiceId)).toEqual([])
  closeCircuit()
  const again = await payments.step(invoiceId, payments.build.authorize(await payments.makeCard()))
  expect(again).toMatchObject({ answer: { kind: 'done' }, payment: { authorizedMinor: 2900 } })
  expect(await countRequests(invoiceId, 'authorization')).toBe(1)
})

test('it leaves the money where it is when a merchant captures, voids or refunds, and takes each of them later', async () => {
  const { build } = payments
  const [captured, voided, refunded] = [
    (await payments.authorized()).invoiceId,
    (await payments.authorized()).invoiceId,
    (await payments.captured()).invoiceId,
  ]
  const cases = [
    [captured, 'capture', () => build.capture(), { status: 'authorized', capturedMinor: 0 }, { capturedMinor: 2900 }],
    [
      voided,
      'void',
      () => build.void(),
      { status: 'authorized', voidedMinor: 0 },
      { status: 'voided', voidedMinor: 2900 },
    ],
    [refunded, 'refund', () => build.refund(), { status: 'completed', refundedMinor: 0 }, { refundedMinor: 2900 }],
  ] as const
  await openCircuit()
  for (const [invoiceId, , command, unchanged] of cases)
    expect(await payments.step(invoiceId, command())).toMatchObject({
      answer: SHUT,
      payment: { ...unchanged, attemptsInFlight: [] },
    })
  closeCircuit()
  for (const [invoiceId, type, command, , changed] of cases) {
    await payments.step(invoiceId, command())
    expect(await payments.transactionOf(invoiceId)).toMatchObject(changed)
    expect(await countRequests(invoiceId, type)).toBe(1)
  }
})

test.each<[string, LookUp | null]>([
  ['that never saw it', null],
  ['that cannot be asked', { kind: 'not-offered' }],
])('it books no release at the end of an authorization before it is made, at a gateway %s', async (_, found) => {
  const { invoiceId } = await payments.authorized()
  await openCircuit()
  const command = payments.build.expiry()
  const { operationId } = command
  const at = payments.now()
  const released = await payments.step(invoiceId, command, { at })
  expect(released).toMatchObject({ payment: { voidedMinor: 0, expired: false, attemptsInFlight: [{ operationId }] } })
  expect(await payments.lookUp(invoiceId, operationId)).toMatchObject({ payment: { voidedMinor: 0 } })
  expect(await countRequests(invoiceId, 'void')).toBe(0)

  closeCircuit()
  if (found !== null) payments.gateway.answers({ lookUp: found })
  expect((await payments.lookUp(invoiceId, operationId)).payment).toMatchObject({
    ...{ status: 'voided', voidedMinor: 2900, expired: true, attemptsInFlight: [] },
  })
  expect(await countRequests(invoiceId, 'void')).toBe(1)
})

test('it has an authorization nobody stands on released when the gateway is back, and not by staff', async () => {
  // A partial approval, which nobody has asked for.
  const { invoiceId } = await payments.authorize({ card: '4000000000007114' })
  const { orphans } = await payments.transactionOf(invoiceId)
  expect(orphans).toHaveLength(1)
  await openCircuit()
  const command = payments.build.reverseOrphan(orphans[0]?.operationId ?? '')
  const kept = await payments.step(invoiceId, command)
  expect(kept.payment).toMatchObject({ needsAttention: false, orphans })
  expect(nextDue(kept.payment)?.kind).not.toBe('reverse-orphan')
  closeCircuit()
  const { payment } = await payments.lookUp(invoiceId, command.operationId)
  expect(payment).toMatchObject({ needsAttention: false, orphans: [], attemptsInFlight: [] })
  expect(await countRequests(invoiceId, 'void')).toBe(1)
})

test('it never turns a lost answer into a failure when the call comes again and is not sent', async () => {
  const { invoiceId } = await payments.authorized()
  const capture = payments.build.capture()
  await payments.gateway.answersDuring({ capture: lostAnswer }, () => payments.step(invoiceId, capture))
  await openCircuit()
  const { answer, payment } = await payments.lookUp(invoiceId, capture.operationId)
  expect(answer.kind).toBe('pending')
  expect(payment.attemptsInFlight).toMatchObject([{ operationId: capture.operationId }])
  closeCircuit()
  const found = await payments.lookUp(invoiceId, capture.operationId)
  expect(found.payment.capturedMinor).toBe(2900)
  expect(await countRequests(invoiceId, 'capture')).toBe(1)
})

test('it leaves a step that a crash has interrupted unknown, and not failed', async () => {
  const { invoiceId } = await payments.authorized()
  const capture = payments.build.capture()
  await beginAttempt(payments.deps, payments.stepOf(invoiceId, capture))
  await openCircuit()
  const interrupted = await payments.step(invoiceId, capture)
  expect(interrupted).toMatchObject({ answer: { kind: 'pending' }, payment: { capturedMinor: 0 } })
  closeCircuit()
  const found = await payments.lookUp(invoiceId, capture.operationId)
  expect(found.payment.capturedMinor).toBe(2900)
  expect(await countRequests(invoiceId, 'capture')).toBe(1)
})

test('no circuit opens because of test cards, whatever they play', async () => {
  for (let call = 1; call <= 7; call += 1)
    expect((await payments.authorize({ card: '4000000000007007' })).result.answer).toEqual({ kind: 'pending' })
  await payments.authorized()
})
