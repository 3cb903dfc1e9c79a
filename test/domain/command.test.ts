import { expect, test } from '@jest/globals'
import { answerOfResult } from '../../domain/command.ts'

test('an outcome that is not final is never answered as done, nor as declined', () => {
  for (const outcome of ['pending', 'unknown', null, undefined] as const)
    expect(answerOfResult({ outcome, errorCode: 'card.do-not-honor' })).toEqual({ kind: 'pending' })
})

test('a final outcome is answered with what it was', () => {
  expect(answerOfResult({ outcome: 'succeeded' })).toEqual({ kind: 'done' })
  expect(answerOfResult({ outcome: 'failed', errorCode: 'card.do-not-honor' })).toEqual({
    kind: 'declined',
    code: 'card.do-not-honor',
  })
  expect(answerOfResult({ outcome: 'failed' })).toEqual({ kind: 'declined', code: 'gateway.unknown-error' })
})
