import type { PaymentActivityDeps } from '../../activities/dependencies.ts'
import { createPaymentActivities, type PaymentActivities } from '../../activities/index.ts'
import type { StepInput } from '../../activities/payment/attempt.ts'
import type { ResolveAttemptInput } from '../../activities/payment/resolve-attempt.ts'
import { commandText, signResolution } from '../../domain/command-signature.ts'
import { isOwnStep } from '../../domain/own-step.ts'

/** The activities of payments, asked for as the API and the administration do: what they are given is signed. */
export function createSignedActivities(deps: PaymentActivityDeps): PaymentActivities {
  const sign = deps.vault.signCommand
  const signed = (input: object) => {
    if ('resolution' in input) {
      const { payment, resolution } = input as ResolveAttemptInput
      return { ...input, resolution: signResolution(sign, payment, resolution) }
    }
    if (!('command' in input)) return input
    const { payment, command } = input as StepInput
    if (isOwnStep(command)) return input
    return { ...input, command: { ...command, signature: sign(commandText(payment, command)) } }
  }
  const activities = Object.entries(createPaymentActivities(deps)).map(([name, activity]) => [
    name,
    (input: object) => (activity as (input: object) => Promise<unknown>)(signed(input)),
  ])
  return Object.fromEntries(activities) as PaymentActivities
}
