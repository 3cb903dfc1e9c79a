import type { Ask } from './ask-gateway.ts'
import { followUp } from './follow-up.ts'

/** Asks the gateway to release the money, all of it or a part. */
export const askForVoid: Ask = (gateway, attempt, signal) => gateway.void(followUp(attempt), signal)
