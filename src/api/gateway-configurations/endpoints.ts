import { z } from 'zod'
import { endpoint, type Refusal, section } from '../../http/endpoint.ts'
import { shows, success } from '../answers.ts'
import { changing } from '../change.ts'
import { gatewayConfiguration } from '../examples/settings.ts'
import { creates, deletes, lists, retrieves, updates } from '../usual-endpoints.ts'
import { fieldsInWords } from './fields-in-words.ts'
import { CONFIGURATION_CHANGES, NEW_CONFIGURATION } from './gateway-configuration-input.ts'
import {
  createGatewayConfiguration,
  deleteGatewayConfiguration,
  updateGatewayConfiguration,
} from './gateway-configurations.ts'
import { receiveNotification } from './gateway-notifications.ts'

const UNUSABLE: Refusal = [
  'request.validation.error',
  'the settings are incomplete, a key belongs to the other environment, or the gateway lacks a capability',
]

/** Credentials of an account are sent beside its settings, and people mix them up. */
const LOGGED = [
  'name',
  'enabled',
  'default_currency',
  'processing_region',
  'merchant_account_country_code',
  'default_preferred_scheme',
]

export const GATEWAY_CONFIGURATIONS = section(
  { tag: 'Gateway configurations', says: 'Your accounts at gateways.', logs: LOGGED },
  [
    lists('GET /gateway-configurations', 'gateway_configuration', {
      notes: 'A client sees four fields of those that are enabled.',
      forClients: { enabled: true },
      // Customers' pages add a parameter; it has no effect.
      access: { isOpenToClients: true, query: ['expand_merchant_accounts'] },
    }),
    lists('GET /gateways/:name/gateway-configurations', 'gateway_configuration', {
      id: 'listGatewayConfigurationsOfGateway',
      method: 'gatewayConfigurations.listOfGateway',
      summary: 'List gateway configurations of a gateway',
      within: (ctx) => ({ gateway_name: ctx.params.name ?? '' }),
    }),
    endpoint('POST /gateways/:name/notifications/:configuration_id', {
      id: 'receiveNotification',
      method: null,
      summary: 'Receive a notification of a gateway',
      access: 'anyone',
      description:
        'The address that a gateway posts its notifications to. It needs no key: the signature of the gateway proves them. Form and headers are those of the gateway.',
      // The answer that gateways want is a word.
      answers: {
        says: 'The notification is stored, or is about no payment here.',
        bodies: { 200: z.literal('[accepted]') },
        examples: { 200: { example: '[accepted]' } },
      },
      mediaType: 'text/plain',
      refuses: [
        ['request.notification.unproven', 'the signature is missing or wrong'],
        ['resource.gateway-configuration.not-found', 'the gateway has no such configuration'],
        ['request.rate.exceeded', 'too many from this address were refused'],
      ],
      run: receiveNotification,
    }),
    retrieves('GET /gateway-configurations/:id', 'gateway_configuration', {
      answers: shows('gateway_configuration', 'The account, without what is secret.'),
    }),
    creates('POST /gateways/:name/gateway-configurations', 'gateway_configuration', {
      access: { permission: 'configuration' },
      description: `An account of yours at this gateway. A project has 50 at most in each environment. Every field that is wrong is among \`invalid_fields\`.\n\n${fieldsInWords()}`,
      body: {
        description: 'A new account.',
        input: NEW_CONFIGURATION,
        example: {
          name: gatewayConfiguration.name,
          settings: gatewayConfiguration.settings,
        },
      },
      answers: shows('gateway_configuration', 'The account, without what is secret.'),
      refuses: [
        ['resource.gateway.not-found', 'there is no such gateway'],
        UNUSABLE,
        ['request.validation.missing-name', 'it has no name'],
        ['request.validation.invalid-state', 'there are 50 already'],
      ],
      run: changing(createGatewayConfiguration),
    }),
    updates('PUT /gateway-configurations/:id', 'gateway_configuration', {
      access: { permission: 'configuration' },
      description:
        'Of `credentials`, `settings` and `capabilities` each name is changed by itself, and null takes it away; other fields are replaced as a whole. An account stays the same account while something is open there.',
      body: { input: CONFIGURATION_CHANGES, example: { enabled: false } },
      answers: shows('gateway_configuration', 'The changed account.'),
      refuses: [
        UNUSABLE,
        ['request.configuration.in-use', 'it would become another account while something is open there'],
        ['request.validation.invalid-state', 'its gateway is not installed any more'],
      ],
      run: changing(updateGatewayConfiguration),
    }),
    deletes('DELETE /gateway-configurations/:id', 'gateway_configuration', {
      access: { permission: 'configuration' },
      description: 'For good: it takes nothing new. Captures, voids and refunds of what is there go on.',
      answers: success('The account takes nothing new.'),
      run: changing(deleteGatewayConfiguration),
    }),
  ],
)
