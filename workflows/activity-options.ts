import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { PaymentActivities } from '../activities/index.ts'

/**
 * A step writes its attempt, calls the gateway (at most 15 s) and records the outcome. After a crash it first looks the
 * attempt up (at most 5 s). 25 s leave time for the database.
 * A begun step is retried until it succeeds; a retry looks its attempt up, so nothing is charged twice. A local activity
 * saves the waiting merchant two round trips to the Temporal server.
 */
export const steps = proxyLocalActivities<PaymentActivities>({
  startToCloseTimeout: '25s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '1m' },
  localRetryThreshold: '5s',
})

/**
 * Look-ups may be retried for hours, so they are regular activities, visible while they run. One may call the gateway twice
 * (5 s and 15 s): a call that the gateway never saw is sent again if that is safe. 40 s leave time for the database.
 */
export const lookUps = proxyActivities<Pick<PaymentActivities, 'lookUp'>>({
  startToCloseTimeout: '40s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
})
