import { expect, test } from '@jest/globals'
import { isUnreachable } from '../../src/temporal/unreachable.ts'

/** As a client of Temporal throws it: the status of gRPC is the cause. */
const failure = (code: number, message: string) =>
  new Error('Failed to start Workflow', { cause: Object.assign(new Error(message), { code }) })

test.each([
  [14, 'tcp connect error'],
  [4, 'Timeout expired'],
  [8, 'namespace rate limit exceeded'],
  [2, 'transport error'],
  [1, 'operation was canceled'],
])('the status %i, %s, says that Temporal is away', (code, message) => {
  expect(isUnreachable(failure(code, message))).toBe(true)
})

test.each([
  [2, 'something that only this workflow runs into'],
  [1, 'transport error'],
  [3, 'WorkflowId length exceeds limit.'],
  [5, 'Namespace live is not found.'],
  [13, 'transport error'],
])('the status %i, %s, is about what was asked', (code, message) => {
  expect(isUnreachable(failure(code, message))).toBe(false)
})

test.each([new Error('transport error'), 'transport error', null, undefined])('%s is no status', (thrown) => {
  expect(isUnreachable(thrown)).toBe(false)
})
