import { z } from 'zod'
import { DISABLED_REASONS } from '../../domain/endpoint-health.ts'
import { EVENTS_ELSEWHERE } from '../../domain/names-elsewhere.ts'
import { createSuggestions } from '../../domain/nearest-name.ts'
import { EVENT_NAMES, type EventName } from '../../domain/webhook-event.ts'
import type { WebhookEndpointRow } from '../persistence/entities/webhook-endpoint.ts'
import { shownColumns } from './columns.ts'
import { eventName } from './event-name.ts'
import { both, takenFields } from './fields.ts'
import { object, type Shown } from './object.ts'
import { CHANGED, flag, id, instant, list, OWNER, orNull, text, word } from './shown.ts'
import {
  coded,
  expecting,
  optionalFlag,
  optionalText,
  requiredText,
  type Scalars,
  shown,
  URL_LENGTH_MAX,
} from './taken.ts'

/** All events, including those of later versions. */
const ALL = '*'

const NAMES = Object.keys(EVENT_NAMES)

/** `transaction.…, invoice.…` */
const GROUPS = [...new Set(NAMES.map((name) => `${name.split('.')[0]}.…`))].join(', ')

/** Names of events; null for all. An empty list or text is ambiguous, and refused. */
const eventsWhitelist = z
  .union([z.array(z.string('must be the name of an event')), z.literal('')], expecting('a list of names of events'))
  // The empty text of a form is refused with more words than another text, and is none of the document's values.
  .meta({ anyOf: undefined, type: 'array', items: { type: 'string' } })
  .superRefine((names, context) => {
    if (names === '' || names.length === 0) {
      const message = 'must name an event; ["*"] takes all, and to receive none, set enabled to false'
      context.addIssue({ code: 'custom', message })
      return
    }
    const suggest = createSuggestions()
    for (const [index, name] of names.entries()) {
      if (name === ALL || NAMES.includes(name)) continue
      const nearest = EVENTS_ELSEWHERE.get(name)?.[0] ?? suggest(name, NAMES)
      const advice = nearest === undefined ? `events are ${GROUPS}` : `the nearest one is ${nearest}`
      const message = `is no event: ${shown(name)}; ${advice}`
      context.addIssue({ code: 'custom', message, path: [index] })
    }
  })
  .optional()
  .transform((names) => (!names || names.includes(ALL) ? null : ([...new Set(names)] as EventName[])))

const url = coded(requiredText(URL_LENGTH_MAX), {
  invalid: 'request.validation.invalid-url',
  missing: 'request.validation.invalid-url',
})

const FIELDS = {
  id: id('webhookEndpoint', 'The webhook endpoint.'),
  ...OWNER,
  url: both(text('Where events are sent to.'), url),
  description: both(
    orNull(text('Your own description.')),
    optionalText(255, { invalid: 'request.validation.invalid-description' }),
  ),
  events_whitelist: both(
    orNull(list(eventName, 'The events that are sent; null for all, those of later versions included.')),
    eventsWhitelist,
  ),
  enabled: both(flag('Whether events are sent.'), optionalFlag),
  disabled_reason: orNull(
    word(
      DISABLED_REASONS,
      'Why it is not enabled: you have switched it off, or it answered 410, or accepted nothing for days.',
    ),
  ),
  disabled_at: orNull(instant('Since when it is not enabled.')),
  sign_with_ed25519: both(flag('Whether webhooks are signed with Ed25519 as well.'), optionalFlag),
  public_key: orNull(text('The key that verifies these signatures, `whpk_…`; null where they are not wanted.')),
  failing_since: orNull(instant('Since when it has accepted nothing; null while it fares well.')),
}

export const webhookEndpoint = object(
  'WebhookEndpoint',
  'An address of yours that is sent the events of your project.',
  { ...FIELDS, ...CHANGED },
)

export const webhookEndpointWithSecret = object(
  'WebhookEndpointWithSecret',
  'A webhook endpoint with its new secret.',
  {
    ...FIELDS,
    secret: text(
      'What webhooks are signed with, `whsec_…`. It is told in this answer only, and where that is repeated with its idempotency key.',
    ),
    ...CHANGED,
  },
)

/** The fields that a request may give. */
export const webhookEndpointInput = (scalars: Scalars) => takenFields(FIELDS, scalars)

/**
 * Where a project wants its events sent.
 *
 * @param publicKey of the current key pair, if there is one; shown where the endpoint uses it.
 * @param secret told where it is made, and nowhere else.
 */
export function presentWebhookEndpoint(
  row: WebhookEndpointRow,
  publicKey: string | null,
  secret?: string,
): Shown<typeof webhookEndpoint> & { secret?: string } {
  return {
    ...shownColumns(webhookEndpoint.shape, row),
    public_key: row.signWithEd25519 ? publicKey : null,
    ...(secret === undefined ? {} : { secret }),
  }
}

/** The data of an event about a webhook endpoint. */
export function presentWebhookEndpointEventData(name: EventName, row: WebhookEndpointRow, publicKey: string | null) {
  return { name, sandbox: row.sandbox, webhook_endpoint: presentWebhookEndpoint(row, publicKey) }
}
