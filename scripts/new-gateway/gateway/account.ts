import type { Capabilities } from '../../../domain/capabilities.ts'
import type { InstalledGateway } from '../../../src/gateways/account.ts'

/** What Placeholder can do at best. What is claimed here the contract exercises; the rest has to be refused. */
export const PLACEHOLDER_CAPABILITIES: Capabilities = {
  authorize: true,
  partialCapture: false,
  multipleCaptures: false,
  partialVoid: false,
  incrementalAuthorization: false,
  refund: false,
  partialRefund: false,
  nativeThreeDs: false,
  currencies: null,
  schemes: null,
}

/** A merchant's account at Placeholder as a gateway configuration describes it. */
export const PLACEHOLDER: InstalledGateway = {
  name: 'placeholder',
  displayName: 'Placeholder',
  capabilities: PLACEHOLDER_CAPABILITIES,
  credentials: {
    api_key: {
      label: { en: 'API key' },
      says: { en: 'Where Placeholder tells it.' },
      isRequired: true,
    },
    notification_key: {
      label: { en: 'Notification key' },
      says: { en: 'Proves notifications of Placeholder.' },
    },
  },
  settings: {},
  accountSettings: [],
  callKeys: ['api_key'],
  publicSettings: [],
  notifications: {
    proof: 'notification_key',
    steps: [{ en: 'Where the address and the key are entered at Placeholder.' }],
    events: [],
    otherwise: { en: 'What is not seen without notifications.' },
  },
  settlement: null,
  problems: () => [],
}
