import { type Endpoint, endpoint, type Refusal } from '../../http/endpoint.ts'
import { listEndpoint } from '../../http/lists/list-endpoint.ts'
import { retrieve } from '../../http/lists/retrieve.ts'
import { event } from '../../objects/event.ts'
import { count, flag } from '../../objects/shown.ts'
import { webhookEndpoint, webhookEndpointWithSecret } from '../../objects/webhook-endpoint.ts'
import { ok } from '../answers.ts'
import * as example from '../examples/index.ts'
import { at } from '../examples/rows.ts'
import { shown } from '../examples/shown.ts'
import { RECOVERY, ROTATION } from './webhook-command-input.ts'
import { recoverEndpoint, rotateEndpointSecret, testEndpoint } from './webhook-endpoint-commands.ts'
import { ENDPOINT_CHANGES, NEW_ENDPOINT } from './webhook-endpoint-input.ts'
import { createEndpoint, deleteEndpoint, updateEndpoint } from './webhook-endpoints.ts'

const DISABLED: Refusal = ['request.validation.invalid-state', 'the endpoint is disabled']

const WRONG_ENDPOINT: readonly Refusal[] = [
  ['request.validation.invalid-url', 'the URL is none, or leads where none may'],
  ['request.validation.error', 'there is no such event, or the list or text is empty'],
]

export const WEBHOOK_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST /webhook-endpoints', {
    id: 'createWebhookEndpoint',
    method: 'webhookEndpoints.create',
    tag: 'Webhook endpoints',
    summary: 'Create a webhook endpoint',
    access: { permission: 'webhooks' },
    description:
      'The answer has the secret that webhooks are signed with: it is told once. A project has 16 endpoints at most in each environment.',
    body: {
      name: 'WebhookEndpointInput',
      description: 'A new endpoint.',
      input: NEW_ENDPOINT,
      about: ['WebhookEndpoint'],
      example: {
        url: example.webhookEndpoint.url,
        description: example.webhookEndpoint.description,
        events_whitelist: example.webhookEndpoint.events_whitelist,
      },
    },
    says: 'The endpoint, with its secret.',
    answers: ok({ webhook_endpoint: webhookEndpointWithSecret }),
    refuses: [...WRONG_ENDPOINT, ['request.validation.invalid-state', 'there are 16 already']],
    examples: () => shown({ webhook_endpoint: example.webhookEndpointWithSecret }),
    run: createEndpoint,
  }),
  listEndpoint('GET /webhook-endpoints', {
    id: 'listWebhookEndpoints',
    method: 'webhookEndpoints.list',
    tag: 'Webhook endpoints',
    summary: 'List webhook endpoints',
    list: 'webhook_endpoints',
    resource: 'webhook_endpoint',

    shows: 'WebhookEndpoint',
    example: () => example.webhookEndpoint,
  }),
  listEndpoint('GET /webhook-endpoints/:id/webhooks', {
    id: 'listWebhookEndpointWebhooks',
    method: 'webhookEndpoints.listWebhooks',
    tag: 'Events',
    summary: 'List deliveries of a webhook endpoint',
    list: 'webhooks',
    resource: 'webhook',
    of: 'webhook_endpoint',
    by: 'endpoint_id',
    shows: 'Webhook',
    example: () => example.webhook,
  }),
  endpoint('GET /webhook-endpoints/:id', {
    id: 'retrieveWebhookEndpoint',
    method: 'webhookEndpoints.retrieve',
    tag: 'Webhook endpoints',
    summary: 'Retrieve a webhook endpoint',
    access: { permission: 'read' },
    says: 'The endpoint, without its secret.',
    answers: ok({ webhook_endpoint: webhookEndpoint }),
    expands: 'webhook_endpoint',
    examples: () => shown({ webhook_endpoint: example.webhookEndpoint }),
    run: (deps) => retrieve(deps, 'webhook_endpoint'),
  }),
  endpoint('PUT /webhook-endpoints/:id', {
    id: 'updateWebhookEndpoint',
    method: 'webhookEndpoints.update',
    tag: 'Webhook endpoints',
    summary: 'Change a webhook endpoint',
    access: { permission: 'webhooks' },
    description:
      'Changes what is given; `["*"]` takes a whitelist back. Another `url`, and switching on again, forget what has failed before.',
    body: {
      name: 'WebhookEndpointChanges',
      clears: true,
      description: 'What is to be changed.',
      input: ENDPOINT_CHANGES,
      about: ['WebhookEndpoint'],
      example: { description: 'The order system in Paris', events_whitelist: ['*'] },
    },
    says: 'The changed endpoint.',
    answers: ok({ webhook_endpoint: webhookEndpoint }),
    refuses: WRONG_ENDPOINT,
    examples: () => shown({ webhook_endpoint: example.webhookEndpoint }),
    run: updateEndpoint,
  }),
  endpoint('DELETE /webhook-endpoints/:id', {
    id: 'deleteWebhookEndpoint',
    method: 'webhookEndpoints.delete',
    tag: 'Webhook endpoints',
    summary: 'Delete a webhook endpoint',
    access: { permission: 'webhooks' },
    description: 'For good; what waits for it is abandoned.',
    says: 'The endpoint is gone.',
    answers: ok({}),
    examples: () => shown({}),
    run: deleteEndpoint,
  }),
  endpoint('POST /webhook-endpoints/:id/rotate-secret', {
    id: 'rotateWebhookSecret',
    method: 'webhookEndpoints.rotateSecret',
    tag: 'Webhook endpoints',
    summary: 'Rotate the secret of a webhook endpoint',
    access: { permission: 'webhooks' },
    description:
      'The previous secret also signs for `previous_expires_in` seconds, a day by default, or until the next rotation. Where there is a key pair, it is replaced as well.',
    body: {
      name: 'RotationInput',
      description: 'How long the previous secret also signs.',
      input: ROTATION,
      example: { previous_expires_in: 3600 },
    },
    says: 'The endpoint, with its new secret.',
    answers: ok({ webhook_endpoint: webhookEndpointWithSecret }),
    examples: () => shown({ webhook_endpoint: example.webhookEndpointWithSecret }),
    run: rotateEndpointSecret,
  }),
  endpoint('POST /webhook-endpoints/:id/test', {
    id: 'testWebhookEndpoint',
    method: 'webhookEndpoints.test',
    tag: 'Webhook endpoints',
    summary: 'Try out a webhook endpoint',
    access: { permission: 'webhooks' },
    description: 'Sends the event `webhook-endpoint.test` to this endpoint only. Takes no fields.',
    says: 'The event.',
    answers: ok({ event }),
    refuses: [DISABLED, ['request.validation.error', 'there is any field']],
    examples: () => shown({ event: example.event('webhook-endpoint.test') }),
    run: testEndpoint,
  }),
  endpoint('POST /webhook-endpoints/:id/recover', {
    id: 'recoverWebhookEndpoint',
    method: 'webhookEndpoints.recover',
    tag: 'Webhook endpoints',
    summary: 'Send a webhook endpoint what it has missed',
    access: { permission: 'webhooks' },
    description:
      'Sends again what the endpoint takes of a time span and has not accepted: failed, waiting for a retry, or never meant for it. 10,000 events a call, the oldest first.',
    body: {
      name: 'RecoveryInput',
      description: 'The time span.',
      input: RECOVERY,
      example: { since: at(-60 * 24).toISOString(), until: at(0).toISOString() },
    },
    says: 'How many events begin anew.',
    answers: ok({
      count: count('How many events begin anew.'),
      has_more: flag('Whether the time span has more; call again.'),
    }),
    refuses: [DISABLED, ['request.validation.invalid-date', 'the time is missing, none, or ends before it begins']],
    examples: () => shown({ count: 3, has_more: false }),
    run: recoverEndpoint,
  }),
]
