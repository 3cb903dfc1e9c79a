import { ADVANCE_MAX_DAYS, ADVANCE_MAX_MS } from '../../../domain/test-clock.ts'
import { defineInput, invalidField, problem, readInput } from '../../http/input/input.ts'
import type { ParsedBody } from '../../http/middleware/body.ts'
import { instant } from '../../objects/instants.ts'

const SECONDS_MAX = ADVANCE_MAX_MS / 1000

export const CLOCK_ADVANCE = defineInput(({ digits }) => ({
  seconds: digits
    .transform(Number)
    .refine(
      (seconds) => seconds >= 1 && seconds <= SECONDS_MAX,
      `must be 1 to ${SECONDS_MAX}, which is ${ADVANCE_MAX_DAYS} days`,
    )
    .meta({ minimum: 1, maximum: SECONDS_MAX })
    .optional()
    .describe(`By how many seconds the clock is advanced, 1 to ${SECONDS_MAX}.`),
  to: instant.optional().describe('The instant to which the clock is advanced, in place of `seconds`.'),
}))

/**
 * How far to advance a clock: gives the instant to move to, by the instant that it is for the payment, both in epoch ms.
 *
 * @throws ApiError for a wrong body, and the result for an instant that is too early or too late.
 */
export function readClockAdvance(body: ParsedBody): (time: number) => number {
  const { seconds, to } = readInput(CLOCK_ADVANCE, body, (fields) => {
    const given = ['seconds', 'to'].filter((name) => fields[name] !== undefined)
    if (given.length === 1) return []
    return [problem('seconds', given.length === 0 ? 'or to is missing' : 'and to exclude each other; send one of them')]
  })
  if (to === undefined) return (time) => time + (seconds ?? 0) * 1000
  return (time) => {
    const target = to.getTime()
    const wrong = (message: string) => invalidField('to', message, 'request.validation.invalid-date')
    if (target <= time)
      throw wrong(`lies in the past of the payment, whose clock is at ${new Date(time).toISOString()}`)
    if (target > time + ADVANCE_MAX_MS)
      throw wrong(
        `lies more than ${ADVANCE_MAX_DAYS} days ahead of the payment's clock, ${new Date(time).toISOString()}`,
      )
    return target
  }
}
