import { canonicalJson } from './canonical-json.ts'
import type { Command, Resolution } from './command.ts'
import type { Environment } from './environment.ts'

interface SignedPayment {
  projectId: string
  environment: Environment
  invoiceId: string
}

/** Signs a text with a key that only this service has. */
export type Sign = (text: string) => string

/**
 * The text that the signature of a command covers: the whole command and its payment. A signed command is thus invalid for
 * another payment, and no part of it can be changed.
 */
export function commandText(payment: SignedPayment, command: Command): string {
  const { projectId, environment, invoiceId } = payment
  return canonicalJson(['command', projectId, environment, invoiceId, { ...command, signature: undefined }])
}

/** The text that the signature of a resolution covers. */
export function resolutionText(payment: SignedPayment, resolution: Resolution): string {
  const { projectId, environment, invoiceId } = payment
  return canonicalJson(['resolution', projectId, environment, invoiceId, { ...resolution, signature: undefined }])
}

/** The signature comes first, so that who reads a history has the words of the call together. */
export function signCommand<C extends Command>(sign: Sign, payment: SignedPayment, command: C): C {
  const signature = sign(commandText(payment, command))
  // An earlier signature does not outlive the new one.
  return Object.assign({ signature }, command, { signature })
}

export function signResolution(sign: Sign, payment: SignedPayment, resolution: Resolution): Resolution {
  return { ...resolution, signature: sign(resolutionText(payment, resolution)) }
}
