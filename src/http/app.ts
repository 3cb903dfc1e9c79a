import { Router } from '@koa/router'
import Koa from 'koa'
import type { Permission } from '../../domain/permission.ts'
import { findPageOrigins } from '../persistence/queries/projects/page-origins.ts'
import { type AdmitKey, createKeyAdmission } from '../rate-limit/key-admission.ts'
import { clientAddress } from './client-address.ts'
import type { ApiMiddleware, ApiState } from './context.ts'
import { dashboardOf } from './dashboard/dashboard.ts'
import type { AppDeps } from './dependencies.ts'
import { expandAnswer } from './expansion/expand-answer.ts'
import type { ResourceName } from './expansion/resources.ts'
import { list } from './lists/list.ts'
import { LIST_ROUTES } from './lists/list-routes.ts'
import { retrieve } from './lists/retrieve.ts'
import { loggableError } from './loggable-error.ts'
import { accessLog } from './middleware/access-log.ts'
import { authenticate, recognize } from './middleware/authenticate.ts'
import { body, INVOICE_BODY, LINES_BODY } from './middleware/body.ts'
import { clientViews } from './middleware/client-views.ts'
import { compression } from './middleware/compression.ts'
import { crossOrigin } from './middleware/cross-origin.ts'
import { errors } from './middleware/errors.ts'
import { fewAtOnce } from './middleware/few-at-once.ts'
import { limitAddress } from './middleware/limit-address.ts'
import { rateLimitHeaders } from './middleware/rate-limit-headers.ts'
import { readableAddress } from './middleware/readable-address.ts'
import { requestId } from './middleware/request-id.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { singleHeaders } from './middleware/single-headers.ts'
import { unknownRoute } from './middleware/unknown-route.ts'
import { logRequests } from './request-log/log-requests.ts'
import { type Access, accessesOf, withFacts } from './route-access.ts'
import { retrieveApiRequest } from './routes/api-requests.ts'
import { createCard, deleteCard, updateCard } from './routes/cards.ts'
import { clientFile } from './routes/client-pages.ts'
import { receiveReturn, showAction } from './routes/customer-actions.ts'
import { createCustomer, deleteCustomer, updateCustomer } from './routes/customers.ts'
import { listEvents, resendEvent } from './routes/events.ts'
import { exportCsv } from './routes/exports.ts'
import {
  createGatewayConfiguration,
  deleteGatewayConfiguration,
  updateGatewayConfiguration,
} from './routes/gateway-configurations.ts'
import { receiveNotification } from './routes/gateway-notifications.ts'
import { showHostedPage } from './routes/hosted-page.ts'
import { retrieveIin } from './routes/iins.ts'
import { assignInvoiceCustomer, retrieveInvoiceCustomer } from './routes/invoice-customers.ts'
import { createInvoice, deleteInvoice, retrieveInvoice, updateInvoice } from './routes/invoices.ts'
import {
  authenticateInvoice,
  authorizeInvoice,
  captureInvoice,
  incrementAuthorization,
  voidInvoice,
} from './routes/payments.ts'
import { resolveReconciliationDifference } from './routes/reconciliation-differences.ts'
import { openApiFile, referenceFile, referencePage } from './routes/reference.ts'
import { refundInvoice, refundTransaction } from './routes/refunds.ts'
import { explainRouting } from './routes/routing-explanation.ts'
import {
  activateRules,
  createRoutingRules,
  deactivateRules,
  retrieveRoutingRules,
  retrieveRuleSet,
} from './routes/routing-rules.ts'
import { listErrorCodes, live, ready, versions } from './routes/service.ts'
import { handInSettlementFile } from './routes/settlement-files.ts'
import { simulatedBank } from './routes/simulated-bank.ts'
import { synchronizeInvoice } from './routes/synchronize.ts'
import { advanceTestClock } from './routes/test-clock.ts'
import { createToken, deleteToken, updateToken } from './routes/tokens.ts'
import { recoverEndpoint, rotateEndpointSecret, testEndpoint } from './routes/webhook-endpoint-commands.ts'
import { createEndpoint, deleteEndpoint, updateEndpoint } from './routes/webhook-endpoints.ts'
import { EXPORT_PARAMETERS } from './schemas/export-range.ts'
import { LIST_PARAMETERS, refuseUnknownParameters } from './schemas/fields/query.ts'
import { RULES_BODY } from './schemas/rules/rule-input.ts'
import { SETTLEMENT_FILE_BODY } from './schemas/settlement-file-input.ts'

export type { AppDeps } from './dependencies.ts'

/** The REST API, ready for an HTTP server. */
export function createApp(deps: AppDeps): Koa<ApiState> {
  // Shared by all routes, so that concurrent requests of a key are admitted together.
  const admitKey = createKeyAdmission(deps.orm)
  const router = routesOf(deps, admitKey)
  const trustedProxies = deps.trustedProxies ?? 0
  // The last addresses in `X-Forwarded-For` come from the proxies, all before them from the caller.
  const app = new Koa<ApiState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies })
  // Errors thrown outside of a request, or after its answer had begun.
  app.on('error', (error: unknown) => deps.logger.error({ err: loggableError(error) }, 'answer failed'))
  if (deps.measure !== undefined) app.use(deps.measure)
  if (deps.trace !== undefined) app.use(deps.trace)
  app.use(clientAddress())
  app.use(requestId(deps.randomBytes))
  app.use(compression())
  app.use(securityHeaders(deps))
  app.use(rateLimitHeaders())
  app.use(accessLog(deps.logger))
  app.use(logRequests(deps))
  app.use(errors(deps.logger))
  app.use(readableAddress())
  app.use(singleHeaders())
  app.use(crossOrigin(router))
  app.use(clientViews())
  app.use(router.routes())
  app.use(pagesOf(deps, router).routes())
  app.use(dashboardOf(deps).routes())
  app.use(recognize({ ...deps, admitKey }))
  app.use(unknownRoute())
  return app
}

/** All routes, with their access rules. */
export function routesOf(deps: AppDeps, admitKey: AdmitKey = createKeyAdmission(deps.orm)): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true })
  const merchant: Guard = (permission, more = {}) => {
    const access = { permission, ...more }
    return withFacts(authenticate({ ...deps, admitKey }, access), { access })
  }
  const client: Guard = (permission, more = {}) => merchant(permission, { isOpenToClients: true, ...more })
  const guards = { merchant, client, expand: (resource: ResourceName) => expandAnswer(deps, resource) }
  addService(router, deps)
  addStoredObjects(router, deps, guards)
  addInvoices(router, deps, guards)
  addSettings(router, deps, guards)
  addBooks(router, deps, guards)
  addLists(router, deps, guards)
  addEvents(router, deps, guards)
  return router
}

/**
 * The reference of the interface, and the pages that the customer's browser opens. They need no key and are no part of the
 * REST interface: whoever knows the addresses of a customer's pages is that browser.
 */
function pagesOf(deps: AppDeps, api: Router<ApiState>): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true })
  const limited = limitAddress(deps)
  router.get(
    '/openapi.json',
    limited,
    openApiFile(() => accessesOf(api)),
  )
  router.get('/docs', limited, referencePage())
  router.get('/docs/:file', limited, referenceFile())
  const back = '/three-d-s/:id/:attempt_id/return'
  router.get('/three-d-s/:id/:action_id', limited, showAction(deps))
  router.get(back, limited, receiveReturn(deps))
  router.post(back, limited, receiveReturn(deps))
  const bank = simulatedBank({ bank: deps.simulatedBank, randomBytes: deps.randomBytes })
  router.get('/simulator/bank/:id', limited, read, bank)
  router.post('/simulator/bank/:id', limited, read, bank)
  const pageOrigins = (projectId: string) => findPageOrigins(deps.orm, projectId)
  router.get('/js/v1/:file', limited, clientFile({ pageOrigins }))
  router.get('/pay/:id', limited, showHostedPage(deps))
  return router
}

type Guard = (permission: Permission, more?: Omit<Access, 'permission'>) => ApiMiddleware

/** The middleware before routes: access, and the expansion of answers. */
interface Guards {
  /** For secret keys only. */
  merchant: Guard
  /** For secret keys and clients. */
  client: Guard
  expand(resource: ResourceName): ApiMiddleware
}

const read = body()
const readLines = body(LINES_BODY)

function addService(router: Router<ApiState>, deps: AppDeps): void {
  const refuseUnknown = refuseUnknownParameters()
  const knownParameters: ApiMiddleware = (ctx, next) => {
    refuseUnknown(ctx)
    return next()
  }
  const limited = limitAddress(deps)
  router.get('/', limited, knownParameters, versions())
  router.get('/error-codes', limited, knownParameters, listErrorCodes())
  // Monitoring systems ask all the time, also while the database is away, and may add parameters of their own.
  router.get('/health/live', live())
  router.get('/health/ready', ready(deps))
}

function addStoredObjects(router: Router<ApiState>, deps: AppDeps, { merchant, client, expand }: Guards): void {
  router.post('/cards', client('payments'), read, expand('card'), createCard(deps))
  router.get('/cards/:id', merchant('read'), retrieve(deps, 'card'))
  router.put('/cards/:id', client('payments'), read, expand('card'), updateCard(deps))
  router.delete('/cards/:id', merchant('payments'), read, deleteCard(deps))
  router.get('/iins/:iin', client('read'), retrieveIin(deps))

  router.post('/customers', merchant('payments'), read, expand('customer'), createCustomer(deps))
  router.get('/customers/:id', merchant('read', { reads: 'customer' }), retrieve(deps, 'customer'))
  router.put('/customers/:id', merchant('payments'), read, expand('customer'), updateCustomer(deps))
  router.delete('/customers/:id', merchant('payments'), read, deleteCustomer(deps))
  router.post('/customers/:id/tokens', merchant('payments'), read, expand('token'), createToken(deps))
  router.get(
    '/customers/:id/tokens/:token_id',
    merchant('read'),
    retrieve(deps, 'token', { owner: 'customer', parameter: 'token_id', property: 'customerId' }),
  )
  router.put('/customers/:id/tokens/:token_id', client('payments'), read, expand('token'), updateToken(deps))
  router.delete('/customers/:id/tokens/:token_id', client('payments'), read, deleteToken(deps))
}

function addInvoices(router: Router<ApiState>, deps: AppDeps, { merchant, client, expand }: Guards): void {
  const readInvoice = body(INVOICE_BODY)
  const mayPay = client('payments', { reads: 'payment' })
  const show = expand('transaction')
  router.post('/invoices', merchant('payments'), readInvoice, expand('invoice'), createInvoice(deps))
  router.get('/invoices/:id', client('read', { reads: 'invoice' }), retrieveInvoice(deps))
  router.put('/invoices/:id', merchant('payments'), readInvoice, expand('invoice'), updateInvoice(deps))
  router.delete('/invoices/:id', merchant('payments'), read, deleteInvoice(deps))
  router.get('/invoices/:id/customers', merchant('read'), retrieveInvoiceCustomer(deps))
  router.post('/invoices/:id/customers', merchant('payments'), read, expand('customer'), assignInvoiceCustomer(deps))
  router.post('/invoices/:id/authorize', mayPay, readLines, show, authorizeInvoice(deps))
  router.post('/invoices/:id/capture', mayPay, readLines, show, captureInvoice(deps))
  router.post('/invoices/:id/three-d-s', mayPay, readLines, show, authenticateInvoice(deps))
  router.post('/invoices/:id/increment_authorization', mayPay, read, show, incrementAuthorization(deps))
  router.post('/invoices/:id/void', merchant('payments', { reads: 'payment' }), read, show, voidInvoice(deps))
  router.post('/invoices/:id/refunds', merchant('refunds'), readLines, expand('refund'), refundInvoice(deps))
  router.put('/invoices/:id/sync-with-psp', merchant('payments'), read, expand('invoice'), synchronizeInvoice(deps))
  router.post('/invoices/:id/clock/advance', merchant('payments'), read, show, advanceTestClock(deps))
  router.post('/transactions/:id/refunds', merchant('refunds'), readLines, expand('refund'), refundTransaction(deps))

  router.get('/transactions/:id', merchant('read', { reads: 'transaction' }), retrieve(deps, 'transaction'))
  router.get(
    '/transactions/:id/refunds/:refund_id',
    merchant('read'),
    retrieve(deps, 'refund', { owner: 'transaction', parameter: 'refund_id', property: 'transactionId' }),
  )
}

function addSettings(router: Router<ApiState>, deps: AppDeps, { merchant, expand }: Guards): void {
  const readRules = body(RULES_BODY)
  const configure = merchant('configuration')
  const show = expand('gateway_configuration')
  router.get('/gateway-configurations/:id', merchant('read'), retrieve(deps, 'gateway_configuration'))
  router.post('/gateways/:name/gateway-configurations', configure, read, show, createGatewayConfiguration(deps))
  router.put('/gateway-configurations/:id', configure, read, show, updateGatewayConfiguration(deps))
  router.delete('/gateway-configurations/:id', configure, read, deleteGatewayConfiguration(deps))
  router.get('/routing-rules', merchant('read'), retrieveRoutingRules(deps))
  router.post('/routing-rules', configure, readRules, createRoutingRules(deps))
  router.post('/routing-rules/explain', merchant('read'), readRules, explainRouting(deps))
  router.delete('/routing-rules', configure, read, deactivateRules(deps))
  router.get('/rule-sets/:id', merchant('read'), retrieveRuleSet(deps))
  router.post('/rule-sets/:id/activate', configure, read, activateRules(deps))
}

function addBooks(router: Router<ApiState>, deps: AppDeps, { merchant, expand }: Guards): void {
  const differences = '/reconciliation-differences/:id'
  // To resolve a difference is to say that no money is missing: the key of a shop, which moves it, may not.
  const mayResolve = merchant('configuration')
  const show = expand('reconciliation_difference')
  const file = [body(SETTLEMENT_FILE_BODY), expand('reconciliation'), handInSettlementFile(deps)] as const
  router.post('/gateway-configurations/:id/settlement-files', mayResolve, ...file)
  router.get('/reconciliations/:id', merchant('read'), retrieve(deps, 'reconciliation'))
  router.get(differences, merchant('read'), retrieve(deps, 'reconciliation_difference'))
  const mayExport = merchant('read', { query: EXPORT_PARAMETERS })
  // One of each table: an export reads the database as long as its caller takes it.
  const inTurn = fewAtOnce(3, 'Three exports of yours are still under way.')
  router.get('/exports/transactions.csv', mayExport, inTurn, exportCsv(deps, 'transactions'))
  router.get('/exports/operations.csv', mayExport, inTurn, exportCsv(deps, 'operations'))
  router.get('/exports/refunds.csv', mayExport, inTurn, exportCsv(deps, 'refunds'))
  router.post(`${differences}/resolve`, mayResolve, read, show, resolveReconciliationDifference(deps))
}

function addLists(router: Router<ApiState>, deps: AppDeps, { merchant, client }: Guards): void {
  for (const route of LIST_ROUTES) {
    const isOpen = route.list === 'gateway_configurations'
    // Customers' pages add a parameter to the list of gateway configurations; it has no effect.
    const query = isOpen ? [...LIST_PARAMETERS, 'expand_merchant_accounts'] : LIST_PARAMETERS
    router.get(route.path, isOpen ? client('read', { query }) : merchant('read', { query }), list(deps, route))
  }
}

function addEvents(router: Router<ApiState>, deps: AppDeps, { merchant }: Guards): void {
  router.get('/events', merchant('read', { isSecondary: true, query: LIST_PARAMETERS }), listEvents(deps))
  router.get('/events/:id', merchant('read', { isSecondary: true, reads: 'event' }), retrieve(deps, 'event'))
  router.post('/events/:id/resend', merchant('webhooks'), read, resendEvent(deps))

  router.post('/webhook-endpoints', merchant('webhooks'), read, createEndpoint(deps))
  router.get('/webhook-endpoints/:id', merchant('read'), retrieve(deps, 'webhook_endpoint'))
  router.put('/webhook-endpoints/:id', merchant('webhooks'), read, updateEndpoint(deps))
  router.delete('/webhook-endpoints/:id', merchant('webhooks'), read, deleteEndpoint(deps))
  router.post('/webhook-endpoints/:id/rotate-secret', merchant('webhooks'), read, rotateEndpointSecret(deps))
  router.post('/webhook-endpoints/:id/test', merchant('webhooks'), read, testEndpoint(deps))
  router.post('/webhook-endpoints/:id/recover', merchant('webhooks'), read, recoverEndpoint(deps))

  // Without a key: the signature proves that the gateway has sent the body. The body is read as raw bytes, and the query
  // belongs to the gateway.
  router.post('/gateways/:name/notifications/:configuration_id', receiveNotification(deps))

  router.get('/api-requests/:id', merchant('read'), retrieveApiRequest(deps))
}
