import { Router } from '@koa/router'
import type { ApiState } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { limitAddress } from '../http/middleware/limit-address.ts'
import { knownBrowsers } from './known-browser.ts'
import { createPasswords } from './passwords.ts'
import { API_KEYS } from './routes/api-keys.ts'
import { CUSTOMERS } from './routes/customers.ts'
import { DISPUTES } from './routes/disputes.ts'
import { DRY_RUNS } from './routes/dry-run.ts'
import { showDashboardFile, showDashboardPage } from './routes/files.ts'
import { GATEWAYS_OF_SERVICE } from './routes/gateways.ts'
import { INVITATIONS } from './routes/invitations.ts'
import { ONE_TIME_LINKS } from './routes/one-time-links.ts'
import { PAYMENTS } from './routes/payments.ts'
import { PEOPLE } from './routes/people.ts'
import { SECOND_FACTOR } from './routes/second-factor.ts'
import { SECOND_FACTORS } from './routes/second-factors.ts'
import { SESSION } from './routes/session.ts'
import { USAGE } from './routes/usage.ts'

const CALLS = [
  ...[...SESSION, ...SECOND_FACTOR, ...SECOND_FACTORS, ...ONE_TIME_LINKS],
  ...[...PEOPLE, ...INVITATIONS, ...API_KEYS],
  ...[...PAYMENTS, ...DISPUTES, ...CUSTOMERS, ...USAGE, ...GATEWAYS_OF_SERVICE, ...DRY_RUNS],
]

/**
 * The pages of the dashboard, and what they ask beyond the REST interface: see `contract.ts`. It is no part of that
 * interface, and takes no secret key.
 */
export function dashboardOf(deps: AppDeps): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true, prefix: '/dashboard' })
  const withPasswords = { ...deps, passwords: createPasswords() }
  for (const add of CALLS) add(router, withPasswords)
  const limited = limitAddress(deps, knownBrowsers(deps))
  router.get('/', limited, showDashboardPage(deps))
  router.get('/assets/:file', limited, showDashboardFile(deps))
  return router
}
