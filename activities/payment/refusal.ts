import type { CommandAnswer } from '../../domain/command.ts'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'

export type Refusal = Extract<CommandAnswer, { kind: 'refused' }>

/** The answer to a command that does not begin; by default with the message of its code. */
export function refusal(code: ErrorCode, message: string = ERRORS[code].message): Refusal {
  return { kind: 'refused', code, message }
}
