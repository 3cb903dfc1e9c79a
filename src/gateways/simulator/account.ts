import { ALL_CAPABILITIES } from '../../../domain/capabilities.ts'
import type { InstalledGateway } from '../account.ts'
import { notificationKeyIn } from './notifications.ts'
import { SETTING_NAMES, simulatorSettingsProblem } from './settings.ts'

/** The simulator as a gateway for configurations: it needs no settings and moves no real money. */
export const SIMULATOR: InstalledGateway = {
  name: 'simulator',
  displayName: 'Simulator',
  capabilities: ALL_CAPABILITIES,
  credentialNames: ['notification_key'],
  settingNames: SETTING_NAMES,
  accountSettings: ['account'],
  callKeys: [],
  publicSettings: [],
  // What is captured in the last second of a day may be booked on the next one.
  settlement: { source: 'list', graceMs: 24 * 60 * 60 * 1000 },
  accountProblem({ environment, credentials, settings }) {
    if (environment === 'live') return { path: 'gateway', message: 'is the simulator, which serves the sandbox only' }
    if (credentials.notification_key !== undefined && notificationKeyIn(credentials) === null)
      return {
        path: 'credentials.notification_key',
        message: 'is too short: a key of 16 characters and more is needed',
      }
    const problem = simulatorSettingsProblem(settings)
    return problem === null ? null : { path: 'settings', message: `do not fit: ${problem.replace(/\.$/, '')}` }
  },
}
