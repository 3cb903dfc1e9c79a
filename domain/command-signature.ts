import { canonicalJson } from './canonical-json.ts'
import type { CaptureCommand, Command, Resolution } from './command.ts'
import type { Environment } from './environment.ts'

interface AskedPayment {
  projectId: string
  environment: Environment
  invoiceId: string
}

/** Makes the signature of a text, with a key that only the service has. */
export type Sign = (text: string) => string

/**
 * What the signature of a command is made of: everything in it, and the payment that it is for. So a signed command is worth
 * nothing on another payment, and no part of it can be changed.
 *
 * @param answersTo the operation whose caller hears the answer: the command's own, or that of the sale that a capture ends.
 */
export function commandText(payment: AskedPayment, command: Command, answersTo: string): string {
  const { projectId, environment, invoiceId } = payment
  return canonicalJson(['command', projectId, environment, invoiceId, answersTo, { ...command, signature: undefined }])
}

/** The same of what support staff found out about an attempt. */
export function resolutionText(payment: AskedPayment, resolution: Resolution): string {
  const { projectId, environment, invoiceId } = payment
  return canonicalJson(['resolution', projectId, environment, invoiceId, { ...resolution, signature: undefined }])
}

/** The command with its signature; the capture of a sale, which is a step of its own, has its own one. */
export function signCommand<C extends Command>(sign: Sign, payment: AskedPayment, command: C): C {
  const signed = <Part extends C | CaptureCommand>(part: Part): Part => ({
    ...part,
    signature: sign(commandText(payment, part, command.operationId)),
  })
  if (command.kind !== 'authorize' || command.capture === null) return signed(command)
  return signed({ ...command, capture: signed(command.capture) })
}

export function signResolution(sign: Sign, payment: AskedPayment, resolution: Resolution): Resolution {
  return { ...resolution, signature: sign(resolutionText(payment, resolution)) }
}
