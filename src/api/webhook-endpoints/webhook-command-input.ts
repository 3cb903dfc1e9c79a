import { z } from 'zod'
import type { ErrorCode } from '../../../domain/errors.ts'
import { isIdentifier, otherKindIn, PREFIXES } from '../../../domain/identifiers.ts'
import { defineInput, problem, readInput } from '../../http/input/input.ts'
import type { ParsedBody } from '../../http/middleware/body.ts'
import { instant } from '../../objects/instants.ts'
import { expecting } from '../../objects/taken.ts'

const DATE_CODE = 'request.validation.invalid-date'

/** A day is enough to bring the new secret to all servers; no rotation should take more than a week. */
const PREVIOUS_EXPIRES_IN_DEFAULT = 86_400
const PREVIOUS_EXPIRES_IN_MAX = 604_800

export const ROTATION = defineInput(({ digits }) => ({
  previous_expires_in: digits
    .transform(Number)
    .refine((seconds) => seconds <= PREVIOUS_EXPIRES_IN_MAX, `must be ${PREVIOUS_EXPIRES_IN_MAX} at most, in seconds`)
    .meta({ maximum: PREVIOUS_EXPIRES_IN_MAX, default: PREVIOUS_EXPIRES_IN_DEFAULT })
    .optional()
    .describe('How many seconds the previous secret also signs.'),
}))

/** How many seconds the previous secret also signs. */
export function readRotation(body: ParsedBody): { previousExpiresIn: number } {
  const { previous_expires_in: seconds = PREVIOUS_EXPIRES_IN_DEFAULT } = readInput(ROTATION, body)
  return { previousExpiresIn: seconds }
}

const SPAN = {
  since: instant.describe('Events fired from this instant on.'),
  until: instant.optional().describe('Events fired before this instant; now by default.'),
}

export const RECOVERY = defineInput(() => SPAN, {
  since: { invalid: DATE_CODE, missing: DATE_CODE },
})

/** The time span of a recovery; it ends now by default. */
export function readRecovery(body: ParsedBody, now: Date): { since: Date; until: Date } {
  const { since, until } = readInput(RECOVERY, body, (fields) => {
    const [from, to] = [instant.safeParse(fields.since).data, instant.safeParse(fields.until).data ?? now]
    return from === undefined || from < to
      ? []
      : [problem('since', 'must lie before until, which is now unless it is given', DATE_CODE)]
  })
  return { since, until: until ?? now }
}

export const RESEND = defineInput(() => ({
  endpoint_id: z
    .string(expecting('a text'))
    // An id lost on the way must not send the event to all endpoints.
    .refine((value) => value !== '', 'must name a webhook endpoint; leave it out to send to all that take the event')
    .refine((value) => value === '' || isIdentifier('webhookEndpoint', value), {
      error: ({ input }) =>
        otherKindIn(String(input), 'webhookEndpoint') ?? 'is not a webhook endpoint of this project',
      params: { code: 'resource.webhook-endpoint.not-found' satisfies ErrorCode },
    })
    .meta({ pattern: `^${PREFIXES.webhookEndpoint}` })
    .optional()
    .describe('The one endpoint that it is sent to.'),
}))

/** The endpoint of a resend; null for all that take the event. */
export function readResend(body: ParsedBody): { endpointId: string | null } {
  const { endpoint_id: endpointId } = readInput(RESEND, body)
  return { endpointId: endpointId ?? null }
}

const NOTHING = defineInput(() => ({}))

/** For a request without fields. */
export function refuseFields(body: ParsedBody): void {
  readInput(NOTHING, body)
}
