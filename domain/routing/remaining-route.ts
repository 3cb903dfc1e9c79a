import type { Fallback } from './rule.ts'

/** Where a payment may still go, kept with its attempt: the decision is not made again in the middle of a payment. */
export interface RemainingRoute {
  /** The gateway configurations that were not tried yet, in the order in which they are. */
  gatewayConfigurationIds: string[]
  fallback: Fallback
}
