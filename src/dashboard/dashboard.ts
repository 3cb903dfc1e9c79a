import { Router } from '@koa/router'
import { managesApiKeys, managesPeople } from '../../domain/role.ts'
import type { ApiMiddleware, ApiState } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { refuseUnknownParameters } from '../http/input/query.ts'
import { body } from '../http/middleware/body.ts'
import { fewAtOnce } from '../http/middleware/few-at-once.ts'
import { limitAddress } from '../http/middleware/limit-address.ts'
import { halfSignedIn, member, signedIn } from '../http/people/authenticate-person.ts'
import { logsOnly } from '../http/request-log/logs-only.ts'
import { knownBrowsers } from './known-browser.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createKey, listKeys, revokeKey } from './routes/api-keys.ts'
import { dryRunRules } from './routes/dry-run.ts'
import { showDashboardFile, showDashboardPage } from './routes/files.ts'
import { listGateways } from './routes/gateways.ts'
import { invitePerson, listOpenInvitations, withdraw } from './routes/invitations.ts'
import { chooseResetPassword, createAccount, joinProject, showInvitation } from './routes/one-time-links.ts'
import { listPayments, showPayment } from './routes/payments.ts'
import { changePersonsRole, listPeople, removePerson } from './routes/people.ts'
import { askForPasskey, confirmSignIn } from './routes/second-factor.ts'
import {
  addNewPasskey,
  askForCodeGenerator,
  askForNewPasskey,
  removeCodes,
  removeOnePasskey,
  renewRecoveryCodes,
  requireSecondFactor,
  setUpCodeGenerator,
} from './routes/second-factors.ts'
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
  const limited = limitAddress(deps, knownBrowsers(deps))
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
  const limited = limitAddress(deps, knownBrowsers(deps))
  router.post('/session', limited, noQuery, read, signIn(deps, passwords))
  const half = halfSignedIn(deps)
  router.get('/session', half, noQuery, showSession(deps))
  router.delete('/session', half, noQuery, signOut(deps))
  router.post('/session/second-factor/options', half, noQuery, askForPasskey(deps))
  router.post('/session/second-factor', half, noQuery, read, confirmSignIn(deps))
  router.delete('/sessions', self, noQuery, signOutEverywhere(deps))
  addSecondFactors(router, deps, passwords)
  router.put('/password', self, noQuery, read, changePassword(deps, passwords))
  router.post('/password', limited, noQuery, read, chooseResetPassword(deps, passwords))
  router.post('/invitation', limited, noQuery, read, showInvitation(deps))
  router.post('/account', limited, noQuery, read, createAccount(deps, passwords))
  router.post('/membership', self, noQuery, read, joinProject(deps))
  const owner = member(deps, managesPeople)
  router.get('/people', member(deps), noQuery, listPeople(deps))
  const role = logsOnly(['role'])
  router.put('/people/:id', role, owner, noQuery, read, changePersonsRole(deps))
  router.delete('/people/:id', role, owner, noQuery, removePerson(deps))
  router.get('/invitations', owner, noQuery, listOpenInvitations(deps))
  router.post('/invitations', role, owner, noQuery, read, invitePerson(deps))
  router.delete('/invitations/:id', role, owner, noQuery, withdraw(deps))
  router.put('/second-factor', owner, noQuery, read, requireSecondFactor(deps))
}

/** What a person has beside the password. */
function addSecondFactors(router: Router<ApiState>, deps: AppDeps, passwords: Passwords): void {
  const read = body()
  const self = signedIn(deps)
  router.post('/second-factors/passkeys/options', self, noQuery, read, askForNewPasskey(deps, passwords))
  router.post('/second-factors/passkeys', self, noQuery, read, addNewPasskey(deps))
  router.delete('/second-factors/passkeys/:id', self, noQuery, read, removeOnePasskey(deps, passwords))
  router.post('/second-factors/codes/options', self, noQuery, read, askForCodeGenerator(deps, passwords))
  router.put('/second-factors/codes', self, noQuery, read, setUpCodeGenerator(deps))
  router.delete('/second-factors/codes', self, noQuery, read, removeCodes(deps, passwords))
  router.post('/second-factors/recovery-codes', self, noQuery, read, renewRecoveryCodes(deps, passwords))
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
