import { z } from 'zod'
import { RECOVERY, RESEND, ROTATION } from '../../schemas/webhook-command-input.ts'
import { ENDPOINT_CHANGES, NEW_ENDPOINT } from '../../schemas/webhook-endpoint-input.ts'
import { event } from '../answers/event.ts'
import { count, flag, list } from '../answers/fields.ts'
import { webhook, webhookEndpoint, webhookEndpointWithSecret } from '../answers/webhook.ts'
import { type Operation, ok, type Refusal } from './operation.ts'

const DISABLED: Refusal = ['request.validation.invalid-state', 'the endpoint is disabled']

const WRONG_ENDPOINT: readonly Refusal[] = [
  ['request.validation.invalid-url', 'the URL is none, or leads where none may'],
  ['request.validation.error', 'there is no such event, or the list or text is empty'],
]

/** Events, their deliveries and the endpoints. */
export const WEBHOOK_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /events/:id': {
    id: 'retrieveEvent',
    tag: 'Events',
    summary: 'Retrieve an event',
    description:
      'The way to the data of a webhook, and the proof that it came from here. Counts towards the limit `secondary`.',
    says: 'The event, with its data as it was.',
    answers: ok({ event }),
    expands: 'event',
  },
  'POST /events/:id/resend': {
    id: 'resendEvent',
    tag: 'Events',
    summary: 'Send an event again',
    description:
      'On a new schedule: to one endpoint, or to all that are enabled and take it and to the address of its invoice or token.',
    request: { name: 'ResendInput', description: 'To whom it is sent.', input: RESEND },
    says: 'The deliveries that begin anew.',
    answers: ok({ webhooks: list(webhook, 'The deliveries that begin anew.') }),
    refuses: [
      ['resource.webhook-endpoint.not-found', 'there is no such endpoint'],
      ['request.validation.invalid-state', 'the endpoint is disabled, or nobody takes the event'],
      ['request.validation.error', '`endpoint_id` is empty'],
    ],
  },
  'POST /webhook-endpoints': {
    id: 'createWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Create a webhook endpoint',
    description:
      'The answer has the secret that webhooks are signed with: it is told once. A project has 16 endpoints at most in each environment.',
    request: {
      name: 'WebhookEndpointInput',
      description: 'A new endpoint.',
      input: NEW_ENDPOINT,
      about: ['WebhookEndpoint'],
    },
    says: 'The endpoint, with its secret.',
    answers: ok({ webhook_endpoint: webhookEndpointWithSecret }),
    refuses: [...WRONG_ENDPOINT, ['request.validation.invalid-state', 'there are 16 already']],
  },
  'GET /webhook-endpoints/:id': {
    id: 'retrieveWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Retrieve a webhook endpoint',
    says: 'The endpoint, without its secret.',
    answers: ok({ webhook_endpoint: webhookEndpoint }),
    expands: 'webhook_endpoint',
  },
  'PUT /webhook-endpoints/:id': {
    id: 'updateWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Change a webhook endpoint',
    description:
      'Changes what is given; `["*"]` takes a whitelist back. Another `url`, and switching on again, forget what has failed before.',
    request: {
      name: 'WebhookEndpointChanges',
      clears: true,
      description: 'What is to be changed.',
      input: ENDPOINT_CHANGES,
      about: ['WebhookEndpoint'],
    },
    says: 'The changed endpoint.',
    answers: ok({ webhook_endpoint: webhookEndpoint }),
    refuses: WRONG_ENDPOINT,
  },
  'DELETE /webhook-endpoints/:id': {
    id: 'deleteWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Delete a webhook endpoint',
    description: 'For good; what waits for it is abandoned.',
    says: 'The endpoint is gone.',
    answers: ok({}),
  },
  'POST /webhook-endpoints/:id/rotate-secret': {
    id: 'rotateWebhookSecret',
    tag: 'Webhook endpoints',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'The previous secret also signs for `previous_expires_in` seconds, a day by default, or until the next rotation. Where there is a key pair, it is replaced as well.',
    request: { name: 'RotationInput', description: 'How long the previous secret also signs.', input: ROTATION },
    says: 'The endpoint, with its new secret.',
    answers: ok({ webhook_endpoint: webhookEndpointWithSecret }),
  },
  'POST /webhook-endpoints/:id/test': {
    id: 'testWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Try out a webhook endpoint',
    description: 'Sends the event `webhook-endpoint.test` to this endpoint only. Takes no fields.',
    says: 'The event.',
    answers: ok({ event }),
    refuses: [DISABLED, ['request.validation.error', 'there is any field']],
  },
  'POST /webhook-endpoints/:id/recover': {
    id: 'recoverWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Send a webhook endpoint what it has missed',
    description:
      'Sends again what the endpoint takes of a time span and has not accepted: failed, waiting for a retry, or never meant for it. 10,000 events a call, the oldest first.',
    request: { name: 'RecoveryInput', description: 'The time span.', input: RECOVERY },
    says: 'How many events begin anew.',
    answers: ok({
      count: count('How many events begin anew.'),
      has_more: flag('Whether the time span has more; call again.'),
    }),
    refuses: [DISABLED, ['request.validation.invalid-date', 'the time is missing, none, or ends before it begins']],
  },
  'POST /gateways/:name/notifications/:configuration_id': {
    id: 'receiveNotification',
    tag: 'Gateway configurations',
    summary: 'Receive a notification of a gateway',
    description:
      'The address that a gateway posts its notifications to. It needs no key: the signature of the gateway proves them. Form and headers are those of the gateway.',
    says: 'The notification is stored, or is about no payment here.',
    answers: { 200: z.literal('[accepted]') },
    // The answer that gateways want is a word.
    mediaType: 'text/plain',
    refuses: [
      ['request.notification.unproven', 'the signature is none'],
      ['resource.gateway-configuration.not-found', 'the gateway has no such configuration'],
      ['request.rate.exceeded', 'too many from this address were refused'],
    ],
  },
}
