import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { LIST_PARAMETERS } from '../../http/input/query.ts'
import { listEndpoint, pageOf } from '../../http/lists/list-endpoint.ts'
import { retrieve } from '../../http/lists/retrieve.ts'
import { event } from '../../objects/event.ts'
import { list } from '../../objects/shown.ts'
import { webhook } from '../../objects/webhook-delivery.ts'
import { EVENT_FILTERS } from '../../persistence/queries/lists/list-definitions.ts'
import { ok } from '../answers.ts'
import * as example from '../examples/index.ts'
import { body, shown } from '../examples/shown.ts'
import { RESEND } from '../webhook-endpoints/webhook-command-input.ts'
import { listEvents, resendEvent } from './events.ts'

export const EVENTS: readonly Endpoint[] = [
  endpoint('GET /events', {
    id: 'listEvents',
    method: 'events.list',
    tag: 'Events',
    summary: 'List events',
    description:
      'In the order in which they were committed. An event is shown only once no earlier one can appear before it, so that a reader that keeps the last id misses none. Counts towards the limit `secondary`.',
    access: { permission: 'read', isSecondary: true, query: LIST_PARAMETERS },
    ...pageOf({
      plural: 'events',
      resource: 'event',
      shows: 'Event',
      example: () => example.event('customer.created'),
    }),
    filters: EVENT_FILTERS,
    run: listEvents,
  }),
  listEndpoint('GET /events/:id/webhooks', {
    id: 'listEventWebhooks',
    method: 'events.listWebhooks',
    tag: 'Events',
    summary: 'List deliveries of an event',
    list: 'webhooks',
    resource: 'webhook',
    of: 'event',
    by: 'event_id',
    shows: 'Webhook',
    example: () => example.webhook,
  }),
  endpoint('GET /events/:id', {
    id: 'retrieveEvent',
    method: 'events.retrieve',
    tag: 'Events',
    summary: 'Retrieve an event',
    access: { permission: 'read', isSecondary: true, reads: 'event' },
    description:
      'The way to the data of a webhook, and the proof that it came from here. Counts towards the limit `secondary`.',
    says: 'The event, with its data as it was.',
    answers: ok({ event }),
    expands: 'event',
    examples: () => ({
      200: {
        payment: body({ event: example.event('transaction.captured') }),
        refund: body({ event: example.event('transaction.refunded') }),
        customer: body({ event: example.event('customer.created') }),
        'payment source': body({ event: example.event('customer.token.created') }),
        card: body({ event: example.event('card.updated') }),
        'stored card': body({ event: example.event('card.expires_soon') }),
        reconciliation: body({ event: example.event('reconciliation.differences-found') }),
        'webhook endpoint': body({ event: example.event('webhook-endpoint.disabled') }),
      },
    }),
    run: (deps) => retrieve(deps, 'event'),
  }),
  endpoint('POST /events/:id/resend', {
    id: 'resendEvent',
    method: 'events.resend',
    tag: 'Events',
    summary: 'Send an event again',
    access: { permission: 'webhooks' },
    description:
      'On a new schedule: to one endpoint, or to all that are enabled and take it and to the address of its invoice or token.',
    body: {
      name: 'ResendInput',
      description: 'To whom it is sent.',
      input: RESEND,
      example: { endpoint_id: example.webhookEndpoint.id },
    },
    says: 'The deliveries that begin anew.',
    answers: ok({ webhooks: list(webhook, 'The deliveries that begin anew.') }),
    refuses: [
      ['resource.webhook-endpoint.not-found', 'there is no such endpoint'],
      ['request.validation.invalid-state', 'the endpoint is disabled, or nobody takes the event'],
      ['request.validation.error', '`endpoint_id` is empty'],
    ],
    examples: () => shown({ webhooks: [example.newWebhook] }),
    run: resendEvent,
  }),
]
