import { expect, test } from '@jest/globals'
import type { Client } from '@temporalio/client'
import { createTestClock, TimeSkippingNotAllowed } from '../../src/temporal/test-clock.ts'

/** A server that answers each change of a run with this status of gRPC; a real one is in `test-clock.long.test.ts`. */
function clockWith(code: number) {
  const failure = Object.assign(new Error(`${code}`), { code, details: '', metadata: { get: () => [] } })
  const workflowService = { updateWorkflowExecutionOptions: () => Promise.reject(failure) }
  const client = { options: { namespace: 'sandbox' }, workflowService } as unknown as Client
  return createTestClock({
    temporal: { live: client, sandbox: client },
    taskQueues: { payments: 'payments', webhooks: 'webhooks' },
  })
}

const run = { workflowId: 'payment-iv_1', runId: 'run' }

test('a Temporal server that skips no time is recognized', async () => {
  await expect(clockWith(12).requireAllowed(run)).rejects.toThrow(TimeSkippingNotAllowed)
})

test('a run that has ended is not moved', async () => {
  expect(await clockWith(5).requireAllowed(run)).toBeUndefined()
})

test('another failure of the server is thrown as it is', async () => {
  await expect(clockWith(14).requireAllowed(run)).rejects.toThrow('14')
})
