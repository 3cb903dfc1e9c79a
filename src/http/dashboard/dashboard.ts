import { Router } from '@koa/router'
import { managesApiKeys, managesPeople } from '../../../domain/role.ts'
import type { ApiMiddleware, ApiState } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { body } from '../middleware/body.ts'
import { refuseUnknownParameters } from '../schemas/fields/query.ts'
import { member, signedIn } from './authenticate-person.ts'
import { createPasswords } from './passwords.ts'
import { createKey, listKeys, revokeKey } from './routes/api-keys.ts'
import { dryRunRules } from './routes/dry-run.ts'
import { showDashboardFile, showDashboardPage } from './routes/files.ts'
import { listGateways } from './routes/gateways.ts'
import { listPayments, showPayment } from './routes/payments.ts'
import { addPerson, changePersonsRole, listPeople, removePerson } from './routes/people.ts'
import { changePassword, showSession, signIn, signOut, signOutEverywhere } from './routes/session.ts'
import { showRateLimits, showStatistics } from './routes/usage.ts'

/**
 * The pages of the dashboard, and what they ask beyond the REST interface: see `contract.ts`. It is no part of that
 * interface, and takes no secret key.
 */
export function dashboardOf(deps: AppDeps): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true, prefix: '/dashboard' })
  const read = body()
  const anyone = member(deps)
  addAccount(router, deps)
  addSettings(router, deps)

  const payments = ['search', 'status', 'currency', 'amount_from', 'amount_to', 'created_from', 'created_to']
  const more = ['gateway_configuration_id', 'error_code', 'needs_attention', 'limit', 'start_after']
  router.get('/payments', anyone, takes(...payments, ...more), listPayments(deps))
  router.get('/payments/:id', anyone, takes(), showPayment(deps))
  router.get('/statistics', anyone, takes('from', 'to', 'currency', 'gateway_configuration_id'), showStatistics(deps))
  router.get('/rate-limits', anyone, takes('minutes'), showRateLimits(deps))
  router.get('/gateways', anyone, takes(), listGateways())
  router.post('/routing-rules/dry-run', anyone, takes(), read, dryRunRules(deps))

  router.get('/', showDashboardPage(deps))
  router.get('/assets/:file', showDashboardFile(deps))
  return router
}

/** What a person does about the own account. */
function addAccount(router: Router<ApiState>, deps: AppDeps): void {
  const read = body()
  const passwords = createPasswords()
  const self = signedIn(deps)
  router.post('/session', takes(), read, signIn(deps, passwords))
  router.get('/session', self, takes(), showSession(deps))
  router.delete('/session', self, takes(), signOut(deps))
  router.delete('/sessions', self, takes(), signOutEverywhere(deps))
  router.put('/password', self, takes(), read, changePassword(deps, passwords))
  const owner = member(deps, managesPeople)
  router.get('/people', member(deps), takes(), listPeople(deps))
  router.post('/people', owner, takes(), read, addPerson(deps, passwords))
  router.put('/people/:id', owner, takes(), read, changePersonsRole(deps))
  router.delete('/people/:id', owner, takes(), removePerson(deps))
}

function addSettings(router: Router<ApiState>, deps: AppDeps): void {
  const keeper = member(deps, managesApiKeys)
  router.get('/api-keys', member(deps), takes(), listKeys(deps))
  router.post('/api-keys', keeper, takes(), body(), createKey(deps))
  router.delete('/api-keys/:id', keeper, takes(), revokeKey(deps))
}

/** Refuses every other query parameter, since to ignore one would be to answer another question. */
function takes(...parameters: string[]): ApiMiddleware {
  const refuseUnknown = refuseUnknownParameters(parameters)
  return (ctx, next) => {
    refuseUnknown(ctx)
    return next()
  }
}
