import type { Ask } from './ask-gateway.ts'
import { followUp } from './follow-up.ts'

/** Asks for a capture; a final one has the gateway release what it leaves. */
export const askForCapture: Ask = (gateway, attempt, signal) =>
  gateway.capture({ ...followUp(attempt), isFinal: attempt.operation.isFinal !== false }, signal)
