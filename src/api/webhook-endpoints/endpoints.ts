import { endpoint, type Refusal, section } from '../../http/endpoint.ts'
import { count, flag } from '../../objects/shown.ts'
import { webhookEndpointWithSecret } from '../../objects/webhook-endpoint.ts'
import { ok, shows, showsOnly, success } from '../answers.ts'
import { changing } from '../change.ts'
import { exampleEvent } from '../examples/events.ts'
import { at } from '../examples/rows.ts'
import { webhookEndpointWithSecret as exampleWithSecret, webhookEndpoint } from '../examples/settings.ts'
import { creates, deletes, lists, retrieves, updates } from '../usual-endpoints.ts'
import { RECOVERY, ROTATION } from './webhook-command-input.ts'
import { recoverEndpoint, rotateEndpointSecret, testEndpoint } from './webhook-endpoint-commands.ts'
import { ENDPOINT_CHANGES, NEW_ENDPOINT } from './webhook-endpoint-input.ts'
import { createEndpoint, deleteEndpoint, updateEndpoint } from './webhook-endpoints.ts'

const DISABLED: Refusal = ['request.validation.invalid-state', 'the endpoint is disabled']

const WRONG_ENDPOINT: readonly Refusal[] = [
  ['request.validation.invalid-url', 'the URL is invalid, or leads to an address that is not allowed'],
  ['request.validation.error', 'there is no such event, or the list or text is empty'],
]

const showsSecret = (says: string) =>
  ok(says, { webhook_endpoint: webhookEndpointWithSecret }, { webhook_endpoint: exampleWithSecret })

export const WEBHOOK_ENDPOINTS = section(
  { tag: 'Webhook endpoints', says: 'The addresses that are sent your events.' },
  [
    creates('POST /webhook-endpoints', 'webhook_endpoint', {
      access: { permission: 'webhooks' },
      description:
        'The answer has the secret that webhooks are signed with: it is told once. A project has 16 endpoints at most in each environment.',
      body: {
        description: 'A new endpoint.',
        input: NEW_ENDPOINT,
        example: {
          url: webhookEndpoint.url,
          description: webhookEndpoint.description,
          events_whitelist: webhookEndpoint.events_whitelist,
        },
      },
      answers: showsSecret('The endpoint, with its secret.'),
      refuses: [...WRONG_ENDPOINT, ['request.validation.invalid-state', 'there are 16 already']],
      run: createEndpoint,
    }),
    lists('GET /webhook-endpoints', 'webhook_endpoint'),
    retrieves('GET /webhook-endpoints/:id', 'webhook_endpoint', {
      answers: shows('webhook_endpoint', 'The endpoint, without its secret.'),
    }),
    updates('PUT /webhook-endpoints/:id', 'webhook_endpoint', {
      access: { permission: 'webhooks' },
      description:
        'Changes what is given; `["*"]` takes a whitelist back. Another `url`, and switching on again, forget what has failed before.',
      body: { input: ENDPOINT_CHANGES, example: { description: 'The order system in Paris', events_whitelist: ['*'] } },
      answers: showsOnly('webhook_endpoint', 'The changed endpoint.'),
      refuses: WRONG_ENDPOINT,
      run: changing(updateEndpoint),
    }),
    deletes('DELETE /webhook-endpoints/:id', 'webhook_endpoint', {
      access: { permission: 'webhooks' },
      description: 'For good; what waits for it is abandoned.',
      answers: success('The endpoint is gone.'),
      run: changing(deleteEndpoint),
    }),
    endpoint('POST /webhook-endpoints/:id/rotate-secret', {
      id: 'rotateWebhookSecret',
      method: 'webhookEndpoints.rotateSecret',
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
      answers: showsSecret('The endpoint, with its new secret.'),
      run: rotateEndpointSecret,
    }),
    endpoint('POST /webhook-endpoints/:id/test', {
      id: 'testWebhookEndpoint',
      method: 'webhookEndpoints.test',
      summary: 'Try out a webhook endpoint',
      access: { permission: 'webhooks' },
      description: 'Sends the event `webhook-endpoint.test` to this endpoint only. Takes no fields.',
      answers: showsOnly('event', 'The event.', exampleEvent('webhook-endpoint.test')),
      refuses: [DISABLED, ['request.validation.error', 'there is any field']],
      run: changing(testEndpoint),
    }),
    endpoint('POST /webhook-endpoints/:id/recover', {
      id: 'recoverWebhookEndpoint',
      method: 'webhookEndpoints.recover',
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
      answers: ok(
        'How many events are sent again.',
        {
          count: count('How many events are sent again.'),
          has_more: flag('Whether the time span has more; call again.'),
        },
        { count: 3, has_more: false },
      ),
      refuses: [DISABLED, ['request.validation.invalid-date', 'the time is missing, none, or ends before it begins']],
      run: changing(recoverEndpoint),
    }),
  ],
)
