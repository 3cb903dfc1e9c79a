import { expect } from '@jest/globals'
import { ERRORS, isErrorCode } from '../../../domain/errors.ts'
import type { Approval, Decline, Outcome } from '../../../domain/operation.ts'

export function approved(outcome: Outcome): Approval {
  if (outcome.kind !== 'approved') throw new Error(`Expected an approval, got ${JSON.stringify(outcome)}.`)
  return outcome
}

/** A decline carries one of our codes, of those that tell a merchant of a failed payment, and the gateway's word. */
export function expectDeclined(outcome: Outcome): void {
  expectKnownCode(declined(outcome))
}

/** A step that the gateway cannot do at all is declined like that, or refused as one that is not supported. */
export function expectRefused(outcome: Outcome): void {
  const decline = declined(outcome)
  if (decline.code !== 'request.gateway.operation-not-supported') expectKnownCode(decline)
}

function declined(outcome: Outcome): Decline {
  if (outcome.kind !== 'declined' || outcome.gatewayCode === '')
    throw new Error(`Expected a decline with the gateway's own word, got ${JSON.stringify(outcome)}.`)
  return outcome
}

function expectKnownCode({ code }: Decline): void {
  expect(isErrorCode(code) ? ERRORS[code].status : `${code} is not in the list`).toBe(410)
}

/** What is taken for an approval says whole what was approved: its id, a sum of money, and nothing of another type. */
export function expectWhole(outcome: Outcome): void {
  if (outcome.kind === 'pending') {
    expect(outcome).toEqual({ kind: 'pending', gatewayOperationId: expect.stringMatching(/./) })
    return
  }
  if (outcome.kind !== 'approved') return
  const { schemeTransactionId = 'text', authorizationCode = 'text', isSale = true } = outcome
  expect(outcome.gatewayOperationId).toEqual(expect.stringMatching(/./))
  expect(outcome.currency).toEqual(expect.stringMatching(/^[A-Z]{3}$/))
  expect(Number.isSafeInteger(outcome.amountMinor) ? outcome.amountMinor : 0).toBeGreaterThan(0)
  expect([typeof schemeTransactionId, typeof authorizationCode, typeof isSale]).toEqual(['string', 'string', 'boolean'])
}
