import { expect, test } from '@jest/globals'
import { WorkflowUpdateFailedError } from '@temporalio/client'
import { ActivityFailure, ApplicationFailure } from '@temporalio/common'
import { refusalOf } from '../../src/temporal/client.ts'

const failed = (cause: Error) => new WorkflowUpdateFailedError('Workflow Update failed', cause)
/** As an activity wraps what it throws. */
const ofActivity = (cause: Error) =>
  new ActivityFailure('Activity task failed', 'capture', '1', 'NON_RETRYABLE_FAILURE', 'worker', cause)
const refused = ApplicationFailure.nonRetryable('There is no such payment.', 'request.still-processing')

test.each([
  ['of a workflow', failed(refused)],
  ['of an activity', failed(ofActivity(refused))],
])('the refusal %s is told with its code', (_, error) => {
  expect(refusalOf(error)).toEqual({
    kind: 'refused',
    code: 'request.still-processing',
    message: 'There is no such payment.',
  })
})

test.each([
  [
    'a failure without a code of the interface',
    failed(ApplicationFailure.nonRetryable('The disk is full.', 'TypeError')),
  ],
  ['what is no answer of a workflow', ofActivity(refused)],
])('%s is no refusal', (_, error) => {
  expect(() => refusalOf(error)).toThrow(error)
})
