import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { PaymentActivities } from '../activities/index.ts'

/**
 * A step writes its attempt, calls the gateway (15 s at most) and records the outcome; after a crash it first looks the
 * attempt up (5 s at most). 25 s leave the database room.
 * It is tried until it succeeds, because a step that was begun must be ended; run again it looks its attempt up and
 * charges nothing twice. A local activity spares the merchant, who waits for it, two round trips to the server.
 */
export const steps = proxyLocalActivities<PaymentActivities>({
  startToCloseTimeout: '25s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '1m' },
  localRetryThreshold: '5s',
})

/**
 * Look-ups wait for gateways, for hours if need be: a regular activity, visible while it runs. One may ask the gateway
 * twice (5 s and 15 s), because a step that it never saw is sent again where that is safe; 40 s leave the database room.
 */
export const lookUps = proxyActivities<Pick<PaymentActivities, 'lookUp'>>({
  startToCloseTimeout: '40s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
})
