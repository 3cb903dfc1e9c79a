import { Router } from '@koa/router'
import { managesApiKeys, managesPeople } from '../../../domain/role.ts'
import type { ApiMiddleware, ApiState } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { body } from '../middleware/body.ts'
import { fewAtOnce } from '../middleware/few-at-once.ts'
import { limitAddress } from '../middleware/limit-address.ts'
import { refuseUnknownParameters } from '../schemas/fields/query.ts'
import { member, signedIn } from './authenticate-person.ts'
import { createPasswords } from './passwords.ts'
import { createKey, listKeys, revokeKey } from './routes/api-keys.ts'
import { dryRunRules } from './routes/dry-run.ts'
import { showDashboardFile, showDashboardPage } from './routes/files.ts'
import { listGateways } from './routes/gateways.ts'
import { invitePerson, listOpenInvitations, withdraw } from './routes/invitations.ts'
import { chooseResetPassword, createAccount, joinProject, showInvitation } from './routes/one-time-links.ts'
import { listPayments, showPayment } from './routes/payments.ts'
import { changePersonsRole, listPeople, removePerson } from './routes/people.ts'
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
  const limited = limitAddress(deps)
  addAccount(router, deps)
  addSettings(router, deps)

  router.get('/payments', anyone, listPayments(deps))
  router.get('/payments/:id', anyone, noQuery, showPayment(deps))
  router.get('/statistics', anyone, showStatistics(deps))
  router.get('/rate-limits', anyone, showRateLimits(deps))
  router.get('/gateways', anyone, noQuery, listGateways())
  const inTurn = fewAtOnce(1, 'Another dry run of yours is still under way.')
  router.post('/routing-rules/dry-run', anyone, noQuery, inTurn, read, dryRunRules(deps))

  router.get('/', limited, showDashboardPage(deps))
  router.get('/assets/:file', limited, showDashboardFile(deps))
  return router
}

/** What a person does about the own account. */
function addAccount(router: Router<ApiState>, deps: AppDeps): void {
  const read = body()
  const passwords = createPasswords()
  const self = signedIn(deps)
  const limited = limitAddress(deps)
  router.post('/session', limited, noQuery, read, signIn(deps, passwords))
  router.get('/session', self, noQuery, showSession(deps))
  router.delete('/session', self, noQuery, signOut(deps))
  router.delete('/sessions', self, noQuery, signOutEverywhere(deps))
  router.put('/password', self, noQuery, read, changePassword(deps, passwords))
  router.post('/password', limited, noQuery, read, chooseResetPassword(deps, passwords))
  router.post('/invitation', limited, noQuery, read, showInvitation(deps))
  router.post('/account', limited, noQuery, read, createAccount(deps, passwords))
  router.post('/membership', self, noQuery, read, joinProject(deps))
  const owner = member(deps, managesPeople)
  router.get('/people', member(deps), noQuery, listPeople(deps))
  router.put('/people/:id', owner, noQuery, read, changePersonsRole(deps))
  router.delete('/people/:id', owner, noQuery, removePerson(deps))
  router.get('/invitations', owner, noQuery, listOpenInvitations(deps))
  router.post('/invitations', owner, noQuery, read, invitePerson(deps))
  router.delete('/invitations/:id', owner, noQuery, withdraw(deps))
}

function addSettings(router: Router<ApiState>, deps: AppDeps): void {
  const keeper = member(deps, managesApiKeys)
  router.get('/api-keys', member(deps), noQuery, listKeys(deps))
  router.post('/api-keys', keeper, noQuery, body(), createKey(deps))
  router.delete('/api-keys/:id', keeper, noQuery, revokeKey(deps))
}

const refuseUnknown = refuseUnknownParameters()

/** Refuses every query parameter, since to ignore one would be to answer another question. */
const noQuery: ApiMiddleware = (ctx, next) => {
  refuseUnknown(ctx)
  return next()
}
