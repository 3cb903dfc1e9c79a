import { endpoint, section } from '../../http/endpoint.ts'
import { LIST_PARAMETERS } from '../../http/input/query.ts'
import { EVENT_FILTERS } from '../../http/lists/list-definitions.ts'
import { list } from '../../objects/shown.ts'
import { webhook } from '../../objects/webhook-delivery.ts'
import { UNDELIVERED } from '../../persistence/queries/webhooks/undelivered.ts'
import { body, ok, pageOf, shows } from '../answers.ts'
import { changing } from '../change.ts'
import { exampleEvent } from '../examples/events.ts'
import { newWebhook, webhookEndpoint } from '../examples/settings.ts'
import { lists, retrieves, WRONG_QUERY } from '../usual-endpoints.ts'
import { RESEND } from '../webhook-endpoints/webhook-command-input.ts'
import { listEvents, resendEvent } from './events.ts'

export const EVENTS = section({ tag: 'Events', says: 'What has changed, and how it was delivered.' }, [
  endpoint('GET /events', {
    id: 'listEvents',
    method: 'events.list',
    summary: 'List events',
    description:
      'In the order in which they were committed. An event is shown only once no earlier one can appear before it, so that a reader that keeps the last id misses none. Counts towards the limit `secondary`.',
    access: { permission: 'read', isSecondary: true, query: LIST_PARAMETERS },
    answers: pageOf('event'),
    filters: EVENT_FILTERS,
    refuses: WRONG_QUERY,
    run: listEvents,
  }),
  lists('GET /events/:id/webhooks', 'webhook', { summary: 'List deliveries of an event', of: 'event' }),
  lists('GET /webhook-endpoints/:id/webhooks', 'webhook', {
    summary: 'List deliveries of a webhook endpoint',
    of: 'webhook_endpoint',
    by: 'endpoint_id',
  }),
  lists('GET /webhooks/undelivered', 'webhook', {
    id: 'listUndeliveredWebhooks',
    method: 'events.listUndeliveredWebhooks',
    summary: 'List deliveries that have not arrived',
    notes:
      'To any address, an endpoint or one that an invoice or token names: those given up, and those that are tried again. One on its way for the first time is none of them.',
    where: UNDELIVERED,
  }),
  retrieves('GET /events/:id', 'event', {
    access: { permission: 'read', isSecondary: true, reads: 'event' },
    description:
      'The way to the data of a webhook, and the proof that it came from here. Counts towards the limit `secondary`.',
    answers: {
      ...shows('event', 'The event, with its data as it was.'),
      examples: {
        200: {
          payment: body({ event: exampleEvent('transaction.captured') }),
          refund: body({ event: exampleEvent('transaction.refunded') }),
          customer: body({ event: exampleEvent('customer.created') }),
          'payment source': body({ event: exampleEvent('customer.token.created') }),
          card: body({ event: exampleEvent('card.updated') }),
          'stored card': body({ event: exampleEvent('card.expires_soon') }),
          reconciliation: body({ event: exampleEvent('reconciliation.differences-found') }),
          'webhook endpoint': body({ event: exampleEvent('webhook-endpoint.disabled') }),
        },
      },
    },
  }),
  endpoint('POST /events/:id/resend', {
    id: 'resendEvent',
    method: 'events.resend',
    summary: 'Send an event again',
    access: { permission: 'webhooks' },
    description:
      'On a new schedule: to one endpoint, or to all that are enabled and take it and to the address of its invoice or token.',
    body: {
      name: 'ResendInput',
      description: 'To whom it is sent.',
      input: RESEND,
      example: { endpoint_id: webhookEndpoint.id },
    },
    answers: ok(
      'The deliveries that are sent again.',
      { webhooks: list(webhook, 'The deliveries that are sent again.') },
      { webhooks: [newWebhook] },
    ),
    refuses: [
      ['resource.webhook-endpoint.not-found', 'there is no such endpoint'],
      ['request.validation.invalid-state', 'the endpoint is disabled, or nobody takes the event'],
      ['request.validation.error', '`endpoint_id` is empty'],
    ],
    run: changing(resendEvent),
  }),
])
