import { canonicalJson } from './canonical-json.ts'
import type { CaptureCommand, Command, Resolution } from './command.ts'
import type { Environment } from './environment.ts'

interface AskedPayment {
  projectId: string
  environment: Environment
  invoiceId: string
}

/** Signs a text with a key that only this service has. */
export type Sign = (text: string) => string

/**
 * The text that the signature of a command covers: the whole command and its payment. A signed command is thus invalid for
 * another payment, and no part of it can be changed.
 *
 * @param answersTo the operation whose caller gets the answer: the command's own, or the sale's for the capture of a sale.
 */
export function commandText(payment: AskedPayment, command: Command, answersTo: string): string {
  const { projectId, environment, invoiceId } = payment
  return canonicalJson(['command', projectId, environment, invoiceId, answersTo, { ...command, signature: undefined }])
}

/** The text that the signature of a resolution covers. */
export function resolutionText(payment: AskedPayment, resolution: Resolution): string {
  const { projectId, environment, invoiceId } = payment
  return canonicalJson(['resolution', projectId, environment, invoiceId, { ...resolution, signature: undefined }])
}

/** Signs a command. The capture of a sale is a separate step and gets its own signature. */
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
