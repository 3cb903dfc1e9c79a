import { z } from 'zod'
import { createSuggestions } from '../../../domain/nearest-name.ts'
import { EVENT_NAMES, type EventName } from '../../../domain/webhook-event.ts'
import type { Caller } from '../../http/context.ts'
import { columnsOf } from '../../http/input/columns.ts'
import { defineInput, givenFields, readInput } from '../../http/input/input.ts'
import { webhookTargetProblems } from '../../http/input/webhook-target.ts'
import type { ParsedBody } from '../../http/middleware/body.ts'
import { coded, expecting, optionalText, requiredText, type Scalars, URL_LENGTH_MAX } from '../../objects/taken.ts'
import type { WebhookEndpointRow } from '../../persistence/entities/webhook-endpoint.ts'
import type { TargetRule } from '../../webhooks/target-problem.ts'

/** As for a token's description. */
const DESCRIPTION_LENGTH_MAX = 255

/** How much of an invalid value an error repeats. */
const SHOWN_LENGTH_MAX = 60

/** All events, including those of later versions. */
const ALL = '*'

const NAMES = Object.keys(EVENT_NAMES)

/** Names of events; null for all. An empty list or text is ambiguous, and refused. */
const eventsWhitelist = z
  .union([z.array(z.string('must be the name of an event')), z.literal('')], expecting('a list of names of events'))
  .superRefine((names, context) => {
    if (names === '' || names.length === 0) {
      const message = 'must name an event; ["*"] takes all, and to receive none, set enabled to false'
      context.addIssue({ code: 'custom', message })
      return
    }
    const suggest = createSuggestions()
    for (const [index, name] of names.entries()) {
      if (name === ALL || NAMES.includes(name)) continue
      const nearest = suggest(name, NAMES)
      const shown = JSON.stringify(name.slice(0, SHOWN_LENGTH_MAX))
      const message = `is no event: ${shown}${nearest === undefined ? '' : `; the nearest one is ${nearest}`}`
      context.addIssue({ code: 'custom', message, path: [index] })
    }
  })
  .optional()
  .transform((names) => (!names || names.includes(ALL) ? null : ([...new Set(names)] as EventName[])))

const url = coded(requiredText(URL_LENGTH_MAX), {
  invalid: 'request.validation.invalid-url',
  missing: 'request.validation.invalid-url',
})

const endpointFields = ({ flag }: Scalars) => ({
  url,
  description: optionalText(DESCRIPTION_LENGTH_MAX, { invalid: 'request.validation.invalid-description' }),
  events_whitelist: eventsWhitelist,
  enabled: flag.optional(),
  sign_with_ed25519: flag.optional(),
})

export const NEW_ENDPOINT = defineInput(endpointFields)

export const ENDPOINT_CHANGES = defineInput((scalars) => ({ ...endpointFields(scalars), url: url.optional() }))

type Columns = Pick<WebhookEndpointRow, 'url' | 'description' | 'eventsWhitelist' | 'enabled' | 'signWithEd25519'>

/** A new endpoint; by default it takes all events and is enabled. */
export function readNewEndpoint(body: ParsedBody, caller: Caller, rule: TargetRule): Columns {
  const input = readInput(NEW_ENDPOINT, body, (fields) => webhookTargetProblems(fields, 'url', caller, rule))
  return columnsOf({ ...input, enabled: input.enabled ?? true, sign_with_ed25519: input.sign_with_ed25519 ?? false })
}

/** The changes of an endpoint. */
export function readEndpointChanges(body: ParsedBody, caller: Caller, rule: TargetRule): Partial<Columns> {
  const input = readInput(ENDPOINT_CHANGES, body, (fields) => webhookTargetProblems(fields, 'url', caller, rule))
  return columnsOf(givenFields(input, body))
}
