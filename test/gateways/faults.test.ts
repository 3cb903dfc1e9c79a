import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import type { GatewayOperationType, Outcome } from '../../domain/operation.ts'
import { createAdyen } from '../../src/gateways/adyen/adapter.ts'
import type { AuthorizeRequest } from '../../src/gateways/gateway.ts'
import { createStripeGateway } from '../../src/gateways/stripe/adapter.ts'
import { startAdyenStandIn } from '../../stand-ins/adyen/adyen.ts'
import { FAULT_NAMES, FAULTS, type FaultName, type FaultOrder } from '../../stand-ins/engine/faults.ts'
import type { Entry } from '../../stand-ins/engine/ledger.ts'
import type { Step } from '../../stand-ins/engine/model.ts'
import { startStripeStandIn } from '../../stand-ins/stripe/stripe.ts'
import { forFile } from '../support/for-file.ts'
import { makeRequests } from './adyen/fixture.ts'
import { startReceiver } from './receiver.ts'

const AMOUNT = 2_900
const PART = 500
const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' }

/** Nobody waits so long for an answer that is slow on purpose, and everybody for any other. */
const SLOW_MS = 350
const SHORT_PATIENCE_MS = 150
const PATIENCE_MS = 20_000
const AGAIN_AFTER_MS = 150
const PAUSE_MS = 25

/** The steps of a payment, of which each in turn is struck. */
const WALKS: readonly (readonly Step[])[] = [
  ['authorize', 'capture', 'refund'],
  ['authorize', 'increment', 'void'],
  ['authorize', 'void'],
]

/** Nothing tells how such a step has ended: Adyen notes it at once, and tells by a notification alone. */
const UNTOLD = ['capture', 'refund', 'increment', 'void'].map((step) => `Adyen notification-lost ${step}`)

const STAND_INS = [
  { name: 'Stripe', start: startStripeStandIn, adapt: (baseUrl: string | null) => createStripeGateway({ baseUrl }) },
  { name: 'Adyen', start: startAdyenStandIn, adapt: (baseUrl: string | null) => createAdyen({ baseUrl }) },
] as const

/** A call, and what the gateway finds of it; null where it finds nothing. */
interface Call {
  reference: string
  send(signal: AbortSignal): Promise<Outcome>
  lookUp(): Promise<Outcome | null>
}

describe.each(STAND_INS)('while $name misbehaves', ({ name, start, adapt }) => {
  const { authorization, followUp } = makeRequests(`${name} misbehaves`)
  const stage = forFile(
    async () => {
      const standIn = await start({ hurry: 1_000 })
      const { account } = standIn.model
      const receiver = await startReceiver(adapt(null), account)
      const control = async (method: string, path: string, body?: object) => {
        const answer = await fetch(standIn.controlUrl + path, { method, ...(body && { body: JSON.stringify(body) }) })
        return (await answer.json()) as { faults: { struck: number }[]; entries: Entry[] }
      }
      await control('PUT', '/notify', { urls: [receiver.url] })
      return { account, receiver, standIn, control, gateway: adapt(standIn.url) }
    },
    async ({ standIn, receiver }) => {
      await standIn.close()
      await receiver.close()
    },
  )

  const callOf = (type: GatewayOperationType, reference: string, id: string | null, send: Call['send']): Call => ({
    reference,
    send,
    async lookUp() {
      const question = { ...stage.account, gatewayConfigurationId: 'gway_conf_1', type, reference }
      const found = await stage.gateway.lookUp(
        { ...question, gatewayAuthorizationId: id },
        AbortSignal.timeout(PATIENCE_MS),
      )
      return found.kind === 'found' ? found.outcome : null
    },
  })

  /** A step on an authorization of which this much is held. */
  const callOfStep = (step: Step, request: AuthorizeRequest, id: string, heldMinor: number): Call => {
    const { gateway, account } = stage
    const of = (amountMinor: number) => ({ ...followUp(request, id, amountMinor), ...account })
    const [held, part] = [of(heldMinor), of(PART)]
    switch (step) {
      case 'capture':
        return callOf('capture', held.reference, id, (signal) => gateway.capture({ ...held, isFinal: true }, signal))
      case 'void':
        return callOf('void', held.reference, id, (signal) => gateway.void(held, signal))
      case 'refund':
        return callOf('refund', part.reference, id, (signal) => gateway.refund(part, signal))
      default: {
        const increment = { ...part, targetTotalMinor: heldMinor + PART }
        return callOf('increment_authorization', part.reference, id, (signal) => gateway.increment(increment, signal))
      }
    }
  }

  /** What is known of a call in the end: it is looked up, told of by a notification, and sent again now and then. */
  const settle = async ({ reference, send, lookUp }: Call, firstMs: number, lastMs: number): Promise<Outcome> => {
    const first = await send(AbortSignal.timeout(firstMs))
    if (isCertain(first)) return first
    const startedAt = performance.now()
    let againAt = startedAt + AGAIN_AFTER_MS
    while (performance.now() < startedAt + lastMs) {
      for (const known of [await lookUp(), stage.receiver.outcomeOf(reference)])
        if (known !== null && isCertain(known)) return known
      await sleep(PAUSE_MS)
      if (performance.now() < againAt) continue
      againAt = performance.now() + AGAIN_AFTER_MS
      const again = await send(AbortSignal.timeout(PATIENCE_MS))
      // A refusal is about the repetition: the first one may have arrived.
      if (again.kind === 'approved') return again
    }
    return first
  }

  /** Takes the steps as far as they are approved; gives what is known of each of them in the end. */
  const walk = async (steps: readonly Step[], firstMs: number, lastMs: number) => {
    const request = authorization({ ...stage.account, amountMinor: AMOUNT, incremental: true, card: CARD })
    const send: Call['send'] = (signal) => stage.gateway.authorize(request, signal)
    let call = callOf('authorization', request.reference, null, send)
    let id = ''
    let heldMinor = 0
    const known: { step: Step; reference: string; outcome: Outcome }[] = []
    for (const step of steps) {
      if (step !== 'authorize') call = callOfStep(step, request, id, heldMinor)
      const outcome = await settle(call, firstMs, lastMs)
      known.push({ step, reference: call.reference, outcome })
      if (outcome.kind !== 'approved') break
      if (step === 'authorize') id = outcome.gatewayOperationId
      heldMinor += outcome.amountMinor
    }
    return known
  }

  test.each(FAULT_NAMES.filter((fault) => ordersOf(fault, 'authorize', name) !== null))(
    '%s: what we know of a payment is what the gateway has done, or unknown',
    async (fault) => {
      const isSlow = fault.startsWith('slow')
      for (const [steps, struck] of WALKS.flatMap((each) => each.map((step) => [each, step] as const))) {
        const orders = ordersOf(fault, struck, name)
        if (orders === null) continue
        const where = `${name} ${fault} ${struck}`
        const isUntold = UNTOLD.includes(where)
        await stage.control('PUT', '/faults', orders)
        const known = await walk(steps, isSlow ? SHORT_PATIENCE_MS : PATIENCE_MS, isUntold ? SLOW_MS : PATIENCE_MS)
        if (fault === 'slow-before') await sleep(SLOW_MS)
        const { entries } = await stage.control('GET', '/ledger')
        for (const { step, reference, outcome } of known) {
          const done = sumsOf(entries.filter((entry) => entry.reference === reference))
          const expected = isUntold && step === struck ? 'unknown' : done
          expect({ where, step, known: wordOf(outcome) }).toEqual({ where, step, known: expected })
        }
        const { faults } = await stage.control('DELETE', '/faults')
        expect({ where, struck: faults.map((one) => one.struck > 0) }).toEqual({
          where,
          struck: orders.map(() => true),
        })
      }
      expect(stage.receiver.refused).toEqual([])
    },
  )
})

/** The fault on this step alone; null where it cannot strike it. */
function ordersOf(name: FaultName, step: Step, gateway: string): FaultOrder[] | null {
  const { on, ms } = FAULTS[name]
  const order: FaultOrder = { name, ...(ms !== null && { ms: SLOW_MS }) }
  // A search is made where the answer to an authorization was lost.
  if (name === 'stale-look-up')
    return step === 'authorize' && gateway === 'Stripe' ? [order, { name: 'reset-after', on: step, count: 1 }] : null
  return (on as readonly Step[]).includes(step) ? [{ ...order, on: step, count: 1 }] : null
}

function isCertain({ kind }: Outcome): boolean {
  return kind === 'approved' || kind === 'declined'
}

function wordOf(outcome: Outcome): string {
  if (!isCertain(outcome)) return 'unknown'
  return outcome.kind === 'approved' ? `${outcome.amountMinor} ${outcome.currency}` : 'nothing'
}

function sumsOf(entries: readonly Entry[]): string {
  return entries.map(({ amount_minor, currency }) => `${amount_minor} ${currency}`).join(', ') || 'nothing'
}
