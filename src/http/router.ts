import { Router } from '@koa/router'
import { type AdmitKey, createKeyAdmission } from '../rate-limit/key-admission.ts'
import { takeLibraryFields, withoutLibraryParameters } from './clients/processout-js.ts'
import type { ApiMiddleware, ApiState } from './context.ts'
import type { AppDeps } from './dependencies.ts'
import { accessOf, changes, type Endpoint } from './endpoint.ts'
import { expandAnswer } from './expansion/expand-answer.ts'
import { refuseUnknownParameters } from './input/query.ts'
import { authenticate } from './middleware/authenticate.ts'
import { body } from './middleware/body.ts'
import { limitAddress } from './middleware/limit-address.ts'
import { logsOnly } from './request-log/logs-only.ts'
import { withFacts } from './route-access.ts'

/** The router of these endpoints: each behind its access check and, where it changes something, the reading of its body. */
export function routerOf(
  endpoints: readonly Endpoint[],
  deps: AppDeps,
  admitKey: AdmitKey = createKeyAdmission(deps.orm),
): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true })
  for (const endpoint of endpoints) {
    const { httpMethod, path } = endpoint
    const logs = endpoint.logs === undefined ? [] : [logsOnly(endpoint.logs)]
    const route = [
      ...logs,
      ...guardsOf(endpoint, deps, admitKey),
      ...readersOf(endpoint, deps),
      ...[endpoint.run(deps)].flat(),
    ]
    router.register(path, [httpMethod], route)
  }
  return router
}

function guardsOf(endpoint: Endpoint, deps: AppDeps, admitKey: AdmitKey): ApiMiddleware[] {
  const access = accessOf(endpoint)
  if (access !== null) {
    const guard = withFacts(authenticate({ ...deps, admitKey }, access, endpoint.filters), { access })
    return access.isOpenToClients === true ? [withoutLibraryParameters(), guard] : [guard]
  }
  return endpoint.access === 'anyone' ? [] : [limitAddress(deps), knownParameters()]
}

function readersOf(endpoint: Endpoint, deps: AppDeps): ApiMiddleware[] {
  if (!changes(endpoint)) return []
  const { body: fields, answers } = endpoint
  const { expands } = answers
  return [
    body(fields?.limits),
    ...(accessOf(endpoint)?.isOpenToClients === true ? [takeLibraryFields(fields?.input.names ?? [])] : []),
    ...(expands === undefined ? [] : [expandAnswer(deps, expands)]),
  ]
}

function knownParameters(): ApiMiddleware {
  const refuseUnknown = refuseUnknownParameters()
  return (ctx, next) => {
    refuseUnknown(ctx)
    return next()
  }
}
