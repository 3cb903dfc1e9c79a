import { ERRORS, isErrorCode } from '../../../domain/errors.ts'

/** What a merchant reads of a decline. A code of a gateway that is not ours says nothing. */
export function declineMessage(code: string): string {
  return isErrorCode(code) ? ERRORS[code].message : ERRORS['gateway.unknown-error'].message
}
