import type { Ask } from './ask-gateway.ts'
import { followUp } from './follow-up.ts'

/** Asks the gateway to give captured money back, all of it or a part. */
export const askForRefund: Ask = (gateway, attempt, signal) => gateway.refund(followUp(attempt), signal)
