import { expect, test } from '@jest/globals'
import type { Outcome } from '../../../domain/operation.ts'
import { approved, expectDeclined, expectRefused } from './outcomes.ts'
import { AMOUNT, CURRENCY, patience, type Stage } from './stage.ts'

/**
 * What happens to an authorization over 2900: the rule, with what the gateway must claim, or must not (`!`); then the steps,
 * each with how it ends, and what is captured and refunded at the end in the gateway's own ledger.
 *
 * `capture` is the last one, a `part` leaves the rest open, `raise` adds; `again` repeats the call before and gets the same
 * answer. `refused` is a decline that may also say that the gateway has no such step.
 */
const RULES = `
takes no more than was authorized, and still takes what was authorized afterwards
  capture 2901: declined, capture 2900: approved | captured 2900
captures nothing of an authorization that the gateway does not know
  capture 2900 of no-such-authorization: declined | captured 0
takes the money once when a reference is repeated [repeats]
  capture 2900: approved, again: approved | captured 2900
takes a part and releases the rest [partialCapture]
  capture 1000: approved, capture 1900: declined | captured 1000
takes no part [!partialCapture]
  capture 1000: refused | captured 0
takes no part with more to follow [!multipleCaptures]
  part 1000: refused | captured 0
takes every part once, and releases the rest with the final one [multipleCaptures]
  part 1000: approved, part 700: approved, part 1201: declined, capture 200: approved, part 1: declined | captured 1900
takes a part once when its reference is repeated [multipleCaptures repeats]
  part 1000: approved, again: approved, part 1901: declined | captured 1000
goes on after a part was voided [multipleCaptures partialVoid]
  part 1000: approved, void 900: approved, part 1001: declined, part 1000: approved | captured 2000
releases nothing after all was captured
  capture 2900: approved, void 2900: declined | captured 2900
releases all, and leaves nothing to capture
  void 2900: approved, capture 2900: declined | captured 0
releases all that a capture has left [multipleCaptures]
  part 1000: approved, void 1900: approved, capture 1: declined | captured 1000
releases no part, and leaves all to capture [!partialVoid sees]
  void 900: refused, capture 2900: approved | captured 2900
releases a part, and leaves the rest to capture, and not a unit more [partialVoid]
  void 900: approved, capture 2001: declined, capture 2000: approved | captured 2000
releases once when a reference is repeated [repeats]
  void 2900: approved, again: approved | captured 0
releases a part once when its reference is repeated [repeats partialVoid]
  void 2000: approved, again: approved, capture 900: approved | captured 900
adds nothing [!incrementalAuthorization]
  raise 500: refused, capture 2901: declined | captured 0
adds to what can be captured, and not a unit more [incrementalAuthorization]
  raise 500: approved, capture 3401: declined, capture 3400: approved | captured 3400
adds once when a reference is repeated [incrementalAuthorization repeats]
  raise 500: approved, again: approved, capture 3401: declined | captured 0
adds nothing after a capture
  capture 2900: approved, raise 500: refused | captured 2900
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
  capture 2900: approved, refund 2900: approved, again: approved | refunded 2900
gives back nothing of an authorization that the gateway does not know, or in another currency
  capture 2900: approved, refund 1 of no-such-authorization: refused, refund 1 in USD: refused | refunded 0
`
  .trim()
  .split(/\n(?! )/)
  .map((rule) => {
    const [title = '', ...lines] = rule.split('\n')
    const text = lines.map((line) => line.trim()).join(' ')
    const [steps = '', ledger = ''] = text.split(/ ?\| /)
    const conditions = /\[(.+)\]$/.exec(title)?.[1]?.split(' ') ?? []
    return { title, conditions, steps: steps.split(', '), ledger }
  })

export function describeLaterSteps(stage: Stage): void {
  const holds = (condition: string): boolean => {
    if (condition.startsWith('!')) return !holds(condition.slice(1))
    if (condition === 'repeats') return stage.gateway.referencesKeptForMs > 0
    if (condition === 'sees') return stage.harness.seesWhatIsLeft !== false
    return Object.entries(stage.gateway.capabilities).some(([name, value]) => name === condition && value === true)
  }

  test.each(RULES)('a later step $title', async ({ conditions, steps, ledger }) => {
    if (!conditions.every(holds)) return
    const { invoiceId, followUp } = await stage.authorize({
      incremental: steps.some((step) => step.startsWith('raise')),
    })

    let last: { call(): Promise<Outcome>; outcome: Outcome } | null = null
    let authorized = AMOUNT
    for (const step of steps) {
      const [what = '', end = ''] = step.split(': ')
      const [verb = '', amount = '', word, value = ''] = what.split(' ')
      const request = {
        ...followUp(Number(amount)),
        ...(word === 'of' && { gatewayAuthorizationId: value }),
        ...(word === 'in' && { currency: value }),
      }
      const targetTotalMinor = authorized + Number(amount)
      const call: () => Promise<Outcome> =
        verb === 'again' && last !== null ? last.call : () => send(verb, { ...request, targetTotalMinor })
      const outcome: Outcome = await call()
      if (verb === 'again') expect(outcome).toEqual(last?.outcome)
      else if (end === 'approved')
        expect([what, approved(outcome)]).toMatchObject([what, { amountMinor: Number(amount), currency: CURRENCY }])
      else if (end === 'declined') expectDeclined(outcome)
      else expectRefused(outcome)
      if (verb === 'raise' && end === 'approved') authorized = targetTotalMinor
      last = { call, outcome }
    }

    const [name, sum] = ledger.split(' ')
    const found =
      name === 'captured' ? await stage.harness.capturedMinor(invoiceId) : await stage.harness.refundedMinor(invoiceId)
    expect(`${name} ${found}`).toBe(`${name} ${sum}`)
  })

  const send = (
    verb: string,
    request: ReturnType<Awaited<ReturnType<Stage['authorize']>>['followUp']> & { targetTotalMinor: number },
  ): Promise<Outcome> => {
    const { targetTotalMinor, ...step } = request
    switch (verb) {
      case 'capture':
        return stage.gateway.capture({ ...step, isFinal: true }, patience())
      case 'part':
        return stage.gateway.capture({ ...step, isFinal: false }, patience())
      case 'raise':
        return stage.gateway.increment({ ...step, targetTotalMinor }, patience())
      case 'void':
        return stage.gateway.void(step, patience())
      case 'refund':
        return stage.gateway.refund(step, patience())
      default:
        throw new Error(`There is no step ${verb}.`)
    }
  }

  test.each(['capture', 'refund'] as const)(
    'moves the money once when two calls to %s all of it race',
    async (verb) => {
      if (verb === 'refund' && !stage.gateway.capabilities.refund) return
      const { invoiceId, followUp } = await (verb === 'capture' ? stage.authorize() : stage.capture())

      const race = () => send(verb, { ...followUp(AMOUNT), targetTotalMinor: AMOUNT })
      const outcomes = await Promise.all([race(), race()])

      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['approved', 'declined'])
      const sum = verb === 'capture' ? stage.harness.capturedMinor : stage.harness.refundedMinor
      expect(await sum(invoiceId)).toBe(AMOUNT)
    },
  )
}
