import { EVENT_NAMES, type EventName } from '../../../domain/webhook-event.ts'
import { type JsonSchema, refTo } from '../../http/openapi/json-schema.ts'
import { eventDataKindOf } from '../../objects/event.ts'
import { exampleWebhook } from '../examples/events.ts'

const header = (name: string, description: string, required: boolean) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

/** Those of Standard Webhooks. */
const PARAMETERS = [
  header('webhook-id', 'The same in all attempts: do nothing for one that you have had.', true),
  header('webhook-timestamp', 'Seconds since 1970, of this attempt.', true),
  header(
    'webhook-signature',
    'Signatures over `id.timestamp.body` under the secrets of the endpoint, as Standard Webhooks says. Missing where the address is that of an invoice or token, which has no secret.',
    false,
  ),
]

/** Every event, as it is sent. */
export function webhooksSection(): Record<string, JsonSchema> {
  const names = Object.keys(EVENT_NAMES) as EventName[]
  return Object.fromEntries(names.map((name) => [name, { post: webhookOf(name) }]))
}

/** `transaction.captured` becomes `TransactionCaptured`. */
const pascal = (name: string) => name.replaceAll(/(?:^|[._-])(.)/g, (_, letter: string) => letter.toUpperCase())

function webhookOf(name: EventName): JsonSchema {
  return {
    operationId: `on${pascal(name)}`,
    summary: EVENT_NAMES[name],
    description: `Fetch the event for its data, that of a ${eventDataKindOf(name)}: \`GET /events/{id}\`.`,
    security: [],
    parameters: PARAMETERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          example: exampleWebhook(name),
          schema: {
            allOf: [{ $ref: refTo('WebhookBody') }, { type: 'object', properties: { event_type: { const: name } } }],
          },
        },
      },
    },
    responses: {
      '2XX': {
        description: 'Received. Answer within 10 s, before you do anything slow; also for an event that you have had.',
      },
      default: {
        description:
          'Anything else is a failure. It is sent again, 12 times at most, and an endpoint that answers 410 three times in a row is switched off.',
      },
    },
  }
}
