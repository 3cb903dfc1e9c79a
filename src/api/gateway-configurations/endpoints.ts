import { z } from 'zod'
import { endpoint, logging, type Refusal } from '../../http/endpoint.ts'
import { listEndpoint } from '../../http/lists/list-endpoint.ts'
import { retrieve } from '../../http/lists/retrieve.ts'
import { gatewayConfiguration } from '../../objects/gateway-configuration.ts'
import { ok } from '../answers.ts'
import * as example from '../examples/index.ts'
import { shown } from '../examples/shown.ts'
import { CONFIGURATION_CHANGES, NEW_CONFIGURATION } from './gateway-configuration-input.ts'
import {
  createGatewayConfiguration,
  deleteGatewayConfiguration,
  updateGatewayConfiguration,
} from './gateway-configurations.ts'
import { receiveNotification } from './gateway-notifications.ts'

const CONFIGURATION = { about: ['GatewayConfiguration'] }

const UNUSABLE: Refusal = [
  'request.validation.error',
  'the account could not be used, a key is of the other environment, or a capability is none of the gateway',
]

/** Credentials of an account are sent beside its settings, and people mix them up. */
export const GATEWAY_CONFIGURATIONS = logging(
  [
    'name',
    'enabled',
    'default_currency',
    'processing_region',
    'merchant_account_country_code',
    'default_preferred_scheme',
  ],
  [
    listEndpoint('GET /gateway-configurations', {
      id: 'listGatewayConfigurations',
      method: 'gatewayConfigurations.list',
      tag: 'Gateway configurations',
      summary: 'List gateway configurations',
      list: 'gateway_configurations',
      resource: 'gateway_configuration',
      notes: 'A client sees four fields of those that are enabled.',
      forClients: { enabled: true },
      // Customers' pages add a parameter; it has no effect.
      access: { isOpenToClients: true, query: ['expand_merchant_accounts'] },
      shows: 'GatewayConfiguration',
      example: () => example.gatewayConfiguration,
    }),
    endpoint('POST /gateways/:name/notifications/:configuration_id', {
      id: 'receiveNotification',
      method: null,
      tag: 'Gateway configurations',
      summary: 'Receive a notification of a gateway',
      access: 'anyone',
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
      examples: () => ({ 200: { example: '[accepted]' } }),
      run: receiveNotification,
    }),
    endpoint('GET /gateway-configurations/:id', {
      id: 'retrieveGatewayConfiguration',
      method: 'gatewayConfigurations.retrieve',
      tag: 'Gateway configurations',
      summary: 'Retrieve a gateway configuration',
      access: { permission: 'read' },
      says: 'The account, without what is secret.',
      answers: ok({ gateway_configuration: gatewayConfiguration }),
      expands: 'gateway_configuration',
      examples: () => shown({ gateway_configuration: example.gatewayConfiguration }),
      run: (deps) => retrieve(deps, 'gateway_configuration'),
    }),
    endpoint('POST /gateways/:name/gateway-configurations', {
      id: 'createGatewayConfiguration',
      method: 'gatewayConfigurations.create',
      tag: 'Gateway configurations',
      summary: 'Create a gateway configuration',
      access: { permission: 'configuration' },
      description: 'An account of yours at this gateway. A project has 50 at most in each environment.',
      body: {
        name: 'GatewayConfigurationInput',
        description: 'A new account.',
        input: NEW_CONFIGURATION,
        ...CONFIGURATION,
        example: {
          name: example.gatewayConfiguration.name,
          default_currency: 'EUR',
          settings: example.gatewayConfiguration.settings,
          capabilities: { multiple_captures: false },
        },
      },
      says: 'The account, without what is secret.',
      answers: ok({ gateway_configuration: gatewayConfiguration }),
      expands: 'gateway_configuration',
      refuses: [
        ['resource.gateway.not-found', 'there is no such gateway'],
        UNUSABLE,
        ['request.validation.missing-name', 'it has no name'],
        ['request.validation.invalid-state', 'there are 50 already'],
      ],
      examples: () => shown({ gateway_configuration: example.gatewayConfiguration }),
      run: createGatewayConfiguration,
    }),
    endpoint('PUT /gateway-configurations/:id', {
      id: 'updateGatewayConfiguration',
      method: 'gatewayConfigurations.update',
      tag: 'Gateway configurations',
      summary: 'Change a gateway configuration',
      access: { permission: 'configuration' },
      description:
        'Of `credentials`, `settings` and `capabilities` each name is changed by itself, and null takes it away; other fields are replaced as a whole. An account stays the same account while something is open there.',
      body: {
        name: 'GatewayConfigurationChanges',
        clears: true,
        description: 'What is to be changed.',
        input: CONFIGURATION_CHANGES,
        ...CONFIGURATION,
        example: { enabled: false },
      },
      says: 'The changed account.',
      answers: ok({ gateway_configuration: gatewayConfiguration }),
      expands: 'gateway_configuration',
      refuses: [
        UNUSABLE,
        ['request.configuration.in-use', 'it would become another account while something is open there'],
        ['request.validation.invalid-state', 'its gateway is not installed any more'],
      ],
      examples: () => shown({ gateway_configuration: example.gatewayConfiguration }),
      run: updateGatewayConfiguration,
    }),
    endpoint('DELETE /gateway-configurations/:id', {
      id: 'deleteGatewayConfiguration',
      method: 'gatewayConfigurations.delete',
      tag: 'Gateway configurations',
      summary: 'Delete a gateway configuration',
      access: { permission: 'configuration' },
      description: 'For good: it takes nothing new. Captures, voids and refunds of what is there go on.',
      says: 'The account takes nothing new.',
      answers: ok({}),
      examples: () => shown({}),
      run: deleteGatewayConfiguration,
    }),
  ],
)
