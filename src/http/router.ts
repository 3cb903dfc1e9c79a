import { Router } from '@koa/router'
import { type AdmitKey, createKeyAdmission } from '../rate-limit/key-admission.ts'
import { takeLibraryFields, withoutLibraryParameters } from './clients/processout-js.ts'
import type { ApiMiddleware, ApiState, PlaceKind } from './context.ts'
import type { AppDeps } from './dependencies.ts'
import { accessOf, changes, type Endpoint } from './endpoint.ts'
import { expandAnswer } from './expansion/expand-answer.ts'
import { refuseUnknownParameters } from './input/query.ts'
import { authenticate } from './middleware/authenticate.ts'
import { body } from './middleware/body.ts'
import { limitAddress } from './middleware/limit-address.ts'
import { createPlaces, type Places } from './middleware/places.ts'
import { logsOnly } from './request-log/logs-only.ts'
import { withFacts } from './route-access.ts'

/**
 * The router of these endpoints: each behind its access check, the reading of its body where it changes something, and a place
 * among the requests of the process.
 */
export function routerOf(
  endpoints: readonly Endpoint[],
  deps: AppDeps,
  admitKey: AdmitKey = createKeyAdmission(deps.orm),
): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true })
  const places = createPlaces(deps.waits)
  for (const endpoint of endpoints) {
    const { httpMethod, path } = endpoint
    const logs = endpoint.logs === undefined ? [] : [logsOnly(endpoint.logs)]
    const place = placeOf(endpoint, places)
    const route = [
      ...logs,
      ...(place === null ? [] : [place.turnAway]),
      ...guardsOf(endpoint, deps, admitKey),
      ...readersOf(endpoint),
      ...(place === null ? [] : [place.take]),
      ...expanderOf(endpoint, deps),
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

function readersOf(endpoint: Endpoint): ApiMiddleware[] {
  if (!changes(endpoint)) return []
  const { body: fields } = endpoint
  return [
    body(fields?.limits),
    ...(accessOf(endpoint)?.isOpenToClients === true ? [takeLibraryFields(fields?.input.names ?? [])] : []),
  ]
}

/**
 * What needs no key needs no place: it is limited by address, tells of the health of the process, or is a gateway's
 * notification, which tells of money and comes once for each step.
 */
function placeOf(endpoint: Endpoint, places: Places): Places[PlaceKind] | null {
  return accessOf(endpoint) === null ? null : places[endpoint.waits === true ? 'waiting' : 'working']
}

function expanderOf(endpoint: Endpoint, deps: AppDeps): ApiMiddleware[] {
  const { expands } = endpoint.answers
  return changes(endpoint) && expands !== undefined ? [expandAnswer(deps, expands)] : []
}

function knownParameters(): ApiMiddleware {
  const refuseUnknown = refuseUnknownParameters()
  return (ctx, next) => {
    refuseUnknown(ctx)
    return next()
  }
}
