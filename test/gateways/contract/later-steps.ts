import { expect, test } from '@jest/globals'
import type { Outcome } from '../../../domain/operation.ts'
import { readRules, takeSteps } from '../steps.ts'
import { approved, expectDeclined, expectRefused } from './outcomes.ts'
import { AMOUNT, CURRENCY, patience, type Stage } from './stage.ts'

/**
 * What happens to an authorization over 2900: the rule, with what the gateway must claim, or must not (`!`); then the steps,
 * as `readRules` has them, and what is captured and refunded at the end. A `repeat` gets the same answer. `refused` is a
 * decline that may also say that the gateway has no such step.
 */
const RULES = readRules(`
takes no more than was authorized, and still takes what was authorized afterwards
  capture 2901: declined, capture 2900: approved | captured 2900
captures nothing of an authorization that the gateway does not know
  capture 2900 of no-such-authorization: declined | captured 0
takes the money once when a reference is repeated [repeats]
  capture 2900: approved, repeat | captured 2900
takes a part and releases the rest [partialCapture]
  capture 1000: approved, capture 1900: declined | captured 1000
takes no part [!partialCapture]
  capture 1000: refused | captured 0
takes no part with more to follow [!multipleCaptures]
  partial-capture 1000: refused | captured 0
takes every part once, and releases the rest with the final one [multipleCaptures]
  partial-capture 1000: approved, partial-capture 700: approved, partial-capture 1201: declined,
  capture 200: approved, partial-capture 1: declined | captured 1900
takes a part once when its reference is repeated [multipleCaptures repeats]
  partial-capture 1000: approved, repeat, partial-capture 1901: declined | captured 1000
goes on after a part was voided [multipleCaptures partialVoid]
  partial-capture 1000: approved, void 900: approved, partial-capture 1001: declined,
  partial-capture 1000: approved | captured 2000
releases nothing after all was captured
  capture 2900: approved, void 2900: declined | captured 2900
releases all, and leaves nothing to capture
  void 2900: approved, capture 2900: declined | captured 0
releases all that a capture has left [multipleCaptures]
  partial-capture 1000: approved, void 1900: approved, capture 1: declined | captured 1000
releases no part, and leaves all to capture [!partialVoid sees]
  void 900: refused, capture 2900: approved | captured 2900
releases a part, and leaves the rest to capture, and not a unit more [partialVoid]
  void 900: approved, capture 2001: declined, capture 2000: approved | captured 2000
releases once when a reference is repeated [repeats]
  void 2900: approved, repeat | captured 0
releases a part once when its reference is repeated [repeats partialVoid]
  void 2000: approved, repeat, capture 900: approved | captured 900
adds nothing [!incrementalAuthorization]
  increment 500: refused, capture 2901: declined | captured 0
adds to what can be captured, and not a unit more [incrementalAuthorization]
  increment 500: approved, capture 3401: declined, capture 3400: approved | captured 3400
adds once when a reference is repeated [incrementalAuthorization repeats]
  increment 500: approved, repeat, capture 3401: declined | captured 0
adds nothing after a capture
  capture 2900: approved, increment 500: refused | captured 2900
refunds nothing before a capture
  refund 1: refused | refunded 0
refunds all [refund]
  capture 2900: approved, refund 2900: approved | refunded 2900
refunds nothing at all [!refund]
  capture 2900: approved, refund 2900: refused, refund 900: refused | refunded 0
refunds a part [refund partialRefund]
  capture 2900: approved, refund 900: approved | refunded 900
refunds no part [refund !partialRefund]
  capture 2900: approved, refund 900: refused | refunded 0
gives back no more than was captured, and still gives that back afterwards [refund]
  capture 2900: approved, refund 2901: declined, refund 2900: approved | refunded 2900
gives back in several parts, and not a unit more [refund partialRefund]
  capture 2900: approved, refund 1000: approved, refund 900: approved, refund 1001: declined, refund 1000: approved
  | refunded 2900
gives back once when a reference is repeated [refund repeats]
  capture 2900: approved, refund 2900: approved, repeat | refunded 2900
gives back nothing of an authorization that the gateway does not know, or in another currency
  capture 2900: approved, refund 1 of no-such-authorization: refused, refund 1 in USD: refused | refunded 0
`)

export function describeLaterSteps(stage: Stage): void {
  const holds = (condition: string): boolean => {
    if (condition.startsWith('!')) return !holds(condition.slice(1))
    if (condition === 'repeats') return stage.gateway.referencesKeptForMs > 0
    if (condition === 'sees') return stage.harness.seesWhatIsLeft !== false
    return Object.entries(stage.gateway.capabilities).some(([name, value]) => name === condition && value === true)
  }

  test.each(RULES)('a later step $title', async ({ title, steps, ledger }) => {
    const conditions = /\[(.+)\]$/.exec(title)?.[1]?.split(' ') ?? []
    if (!conditions.every(holds)) return
    const { gateway, makeReference } = stage
    const request = stage.authorizationRequest({
      incremental: steps.some(({ asked }) => asked.startsWith('increment')),
    })
    const asked = [`authorize ${AMOUNT}`, ...steps.map((step) => step.asked)]
    const answers = await takeSteps({ gateway, request, makeReference, patience }, asked)

    for (const [index, { asked: step, end }] of steps.entries()) {
      const outcome = answers[index + 1] as Outcome
      const amountMinor = Number(step.split(' ')[1])
      if (step === 'repeat') expect(outcome).toEqual(answers[index])
      else if (end === 'approved')
        expect([step, approved(outcome)]).toMatchObject([step, { amountMinor, currency: CURRENCY }])
      else if (end === 'declined') expectDeclined(outcome)
      else expectRefused(outcome)
    }
    const [name, sum] = ledger.split(' ')
    const found = await (name === 'captured' ? stage.harness.capturedMinor : stage.harness.refundedMinor)(
      request.invoiceId,
    )
    expect(`${name} ${found}`).toBe(`${name} ${sum}`)
  })

  test.each(['capture', 'refund'] as const)(
    'moves the money once when two calls to %s all of it race',
    async (verb) => {
      if (verb === 'refund' && !stage.gateway.capabilities.refund) return
      const { invoiceId, followUp } = await (verb === 'capture' ? stage.authorize() : stage.capture())

      const race = () => stage.gateway[verb]({ ...followUp(AMOUNT), isFinal: true }, patience())
      const outcomes = await Promise.all([race(), race()])

      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['approved', 'declined'])
      const sum = verb === 'capture' ? stage.harness.capturedMinor : stage.harness.refundedMinor
      expect(await sum(invoiceId)).toBe(AMOUNT)
    },
  )
}
