import { expect, test } from '@jest/globals'
import { temporalLogger } from '../../src/temporal/connection.ts'
import { captureLog } from '../support/captured-log.ts'

test('of calls that the SDK tries again while Temporal is away, the first is a warning, and the others are detail', () => {
  const log = captureLog()
  const sdk = temporalLogger(log.logger)
  sdk.warn('gRPC call poll_workflow_task_queue retried 5 times', { error: 'Status' })
  sdk.log('WARN', 'gRPC call poll_activity_task_queue retried 5 times')
  sdk.warn('gRPC call poll_workflow_task_queue retried 6 times')
  sdk.warn('Something else')
  const levels = log
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).level)
  const [WARN, DEBUG] = [40, 20]
  expect(levels).toEqual([WARN, DEBUG, DEBUG, WARN])
})
