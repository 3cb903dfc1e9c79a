import { Router } from '@koa/router'
import Koa from 'koa'
import type { ApiState } from './context.ts'
import type { AppDeps } from './dependencies.ts'
import { loggableError } from './loggable-error.ts'
import { accessLog } from './middleware/access-log.ts'
import { authenticate } from './middleware/authenticate.ts'
import { body } from './middleware/body.ts'
import { errors } from './middleware/errors.ts'
import { requestId } from './middleware/request-id.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { unknownRoute } from './middleware/unknown-route.ts'
import { createCard, retrieveCard } from './routes/cards.ts'
import { listEvents, retrieveEvent } from './routes/events.ts'
import { live, ready } from './routes/health.ts'
import { createInvoice, retrieveInvoice } from './routes/invoices.ts'
import { authorizeInvoice, captureInvoice, incrementAuthorization, voidInvoice } from './routes/payments.ts'
import { retrieveTransaction } from './routes/transactions.ts'
import { versions } from './routes/versions.ts'

export type { AppDeps } from './dependencies.ts'

/** The REST interface, ready to be given to an HTTP server. */
export function createApp(deps: AppDeps): Koa<ApiState> {
  const app = new Koa<ApiState>()
  // What comes here was thrown outside of a request, or after its answer had begun.
  app.on('error', (error: unknown) => deps.logger.error({ err: loggableError(error) }, 'answer failed'))
  app.use(requestId(deps.randomBytes))
  app.use(securityHeaders())
  app.use(accessLog(deps.logger))
  app.use(errors(deps.logger))
  app.use(routesOf(deps).routes())
  app.use(unknownRoute())
  return app
}

function routesOf(deps: AppDeps): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true })
  const merchant = authenticate(deps)
  const read = body()

  router.get('/', versions())
  router.get('/health/live', live())
  router.get('/health/ready', ready(deps))

  router.post('/cards', merchant, read, createCard(deps))
  router.get('/cards/:id', merchant, retrieveCard(deps))

  router.post('/invoices', merchant, read, createInvoice(deps))
  router.get('/invoices/:id', merchant, retrieveInvoice(deps))
  router.post('/invoices/:id/authorize', merchant, read, authorizeInvoice(deps))
  router.post('/invoices/:id/capture', merchant, read, captureInvoice(deps))
  router.post('/invoices/:id/increment_authorization', merchant, read, incrementAuthorization(deps))
  router.post('/invoices/:id/void', merchant, read, voidInvoice(deps))

  router.get('/transactions/:id', merchant, retrieveTransaction(deps))

  router.get('/events', merchant, listEvents(deps))
  router.get('/events/:id', merchant, retrieveEvent(deps))
  return router
}
