import Koa from 'koa'
import { ENDPOINTS } from '../api/endpoints.ts'
import { dashboardOf } from '../dashboard/dashboard.ts'
import { clientAddress } from '../http/client-address.ts'
import type { ApiContext, ApiState } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { loggableError } from '../http/loggable-error.ts'
import { accessLog } from '../http/middleware/access-log.ts'
import { recognize } from '../http/middleware/authenticate.ts'
import { clientViews } from '../http/middleware/client-views.ts'
import { compression } from '../http/middleware/compression.ts'
import { crossOrigin } from '../http/middleware/cross-origin.ts'
import { errorLinks } from '../http/middleware/error-links.ts'
import { errors } from '../http/middleware/errors.ts'
import { rateLimitHeaders } from '../http/middleware/rate-limit-headers.ts'
import { readableAddress } from '../http/middleware/readable-address.ts'
import { readableAnswers } from '../http/middleware/readable-answers.ts'
import { requestId } from '../http/middleware/request-id.ts'
import { securityHeaders } from '../http/middleware/security-headers.ts'
import { singleHeaders } from '../http/middleware/single-headers.ts'
import { unknownRoute } from '../http/middleware/unknown-route.ts'
import { logRequests } from '../http/request-log/log-requests.ts'
import { routerOf } from '../http/router.ts'
import { pagesOf } from '../pages/pages.ts'
import { nothingHere } from '../pages/reference.ts'
import { createKeyAdmission } from '../rate-limit/key-admission.ts'

/** What Node says of a connection that its other side has ended; also of one to a database, and so not enough. */
const ENDED: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']

/** Whoever cancels a download is no failure of ours. */
const hasLeft = (error: unknown, ctx: Pick<ApiContext, 'req'> | undefined): boolean =>
  ctx?.req.socket.destroyed === true && ENDED.includes((error as NodeJS.ErrnoException).code)

/** The REST API, ready for an HTTP server. */
export function createApp(deps: AppDeps): Koa<ApiState> {
  // Shared by all routes, so that concurrent requests of a key are admitted together.
  const admitKey = createKeyAdmission(deps.orm)
  const router = routerOf(ENDPOINTS, deps, admitKey)
  const trustedProxies = deps.trustedProxies ?? 0
  // The last addresses in `X-Forwarded-For` come from the proxies, all before them from the caller.
  const app = new Koa<ApiState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies })
  // Errors thrown outside of a request, or after its answer had begun.
  app.on('error', (error: unknown, ctx?: Pick<ApiContext, 'req'>) => {
    if (hasLeft(error, ctx)) deps.logger.debug({ err: loggableError(error) }, 'the caller has left')
    else deps.logger.error({ err: loggableError(error) }, 'answer failed')
  })
  if (deps.measure !== undefined) app.use(deps.measure)
  if (deps.trace !== undefined) app.use(deps.trace)
  app.use(clientAddress())
  app.use(requestId(deps.randomBytes))
  app.use(compression())
  app.use(readableAnswers())
  app.use(securityHeaders(deps))
  app.use(rateLimitHeaders())
  app.use(accessLog(deps.logger))
  app.use(logRequests(deps))
  app.use(errorLinks(deps))
  app.use(errors(deps.logger))
  app.use(readableAddress())
  app.use(singleHeaders())
  app.use(crossOrigin(router))
  app.use(clientViews())
  app.use(router.routes())
  app.use(pagesOf(deps).routes())
  app.use(dashboardOf(deps).routes())
  app.use(nothingHere(deps))
  app.use(recognize({ ...deps, admitKey }))
  app.use(unknownRoute(ENDPOINTS))
  return app
}
