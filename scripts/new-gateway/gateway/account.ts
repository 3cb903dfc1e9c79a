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

/** A merchant's account at Placeholder as a gateway configuration describes it; what the names mean is in the README. */
export const PLACEHOLDER: InstalledGateway = {
  name: 'placeholder',
  displayName: 'Placeholder',
  capabilities: PLACEHOLDER_CAPABILITIES,
  credentialNames: ['api_key', 'notification_key'],
  settingNames: [],
  accountSettings: [],
  callKeys: ['api_key'],
  publicSettings: [],
  settlement: null,
  accountProblem({ credentials }) {
    return credentials.api_key === undefined ? { path: 'credentials.api_key', message: 'is missing' } : null
  },
}
