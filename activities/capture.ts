import type { Ask } from './ask-gateway.ts'
import { followUp } from './follow-up.ts'

/** Asks for a capture; it is final, so that the gateway releases what it leaves. */
export const askForCapture: Ask = (gateway, attempt, signal) =>
  gateway.capture({ ...followUp(attempt), isFinal: true }, signal)
