import {
  condition,
  defineUpdate,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow'
import { SEARCH_ATTRIBUTES } from '../domain/search-attributes.ts'

/** The floor, the least that gives an answer: an update without work, after which the workflow returns in the same task. */
export async function updatableWorkflow(): Promise<void> {
  let isAnswered = false
  setHandler(defineUpdate<void>('answer'), () => {
    isAnswered = true
  })
  await condition(() => isAnswered)
}

// The following are those of the part `engine`: what a payment asks of Temporal, one thing more with each.

const { nothing } = proxyLocalActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '10s' })

/** How a payment's workflow ends, when its authorization expires. */
const EXPIRY = '7 days'

/** Shown to support staff as long as a payment's own details are. */
const DETAILS = Array.from({ length: 7 }, (_, row) => `- Row ${row}: **EUR 29.00**`).join('\n')

/** One activity, as every step of a payment is. */
export async function stepWorkflow(): Promise<void> {
  await nothing()
}

/** And then a payment waits. */
export async function waitingWorkflow(): Promise<void> {
  setHandler(defineUpdate<void>('capture'), () => undefined)
  await nothing()
  await condition(() => false, EXPIRY)
}

/** And support staff see where it stands. */
export async function shownWorkflow(): Promise<void> {
  setHandler(defineUpdate<void>('capture'), () => undefined)
  await nothing()
  setCurrentDetails(DETAILS)
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.paymentStatus, value: 'authorized' },
    { key: SEARCH_ATTRIBUTES.gatewayName, value: 'simulator' },
    { key: SEARCH_ATTRIBUTES.authorizationExpiresAt, value: new Date(Date.now()) },
  ])
  await condition(() => false, EXPIRY)
}
