import { ERRORS, isErrorCode } from '../../../domain/errors.ts'

/** The message of a decline for the merchant. Codes that we do not know get a general message. */
export function declineMessage(code: string): string {
  return isErrorCode(code) ? ERRORS[code].message : ERRORS['gateway.unknown-error'].message
}
