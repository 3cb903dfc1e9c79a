import { describe, expect, test } from '@jest/globals'
import type { Router } from '@koa/router'
import type { Permission } from '../../domain/permission.ts'
import { managesApiKeys, managesPeople, PERMISSIONS_OF_ROLE } from '../../domain/role.ts'
import { EXPORT_PARAMETERS } from '../../src/api/books/export-range.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { dashboardOf } from '../../src/dashboard/dashboard.ts'
import type { ApiState } from '../../src/http/context.ts'
import type { AppDeps } from '../../src/http/dependencies.ts'
import { LIST_PARAMETERS } from '../../src/http/input/query.ts'
import { factsOf, isOpenToClients, type RouteFacts } from '../../src/http/route-access.ts'
import { routerOf } from '../../src/http/router.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'
import { openRoutes } from '../http/open-routes.ts'
import { isList, OPERATIONS } from '../http/operations.ts'

/** The routes of a router by method and address, with the facts of their middleware in its order. */
function routesWithFacts(router: Router<ApiState>): [name: string, facts: RouteFacts[]][] {
  return router.stack.map(({ methods, path, stack }) => {
    const [method] = methods.filter((one) => one !== 'HEAD')
    return [`${method} ${path}`, stack.map(factsOf).filter((facts) => Object.keys(facts).length > 0)]
  })
}

const router = routerOf(ENDPOINTS, { waits: PRODUCTION_WAITS } as unknown as AppDeps)
const ROUTES = routesWithFacts(router)
const GUARDED = ROUTES.filter(([name]) => name in OPERATIONS)
const isChange = ([name]: (typeof ROUTES)[number]): boolean => !name.startsWith('GET ')
const accessOf = ([guard]: RouteFacts[]) => guard?.access

describe('a route of the interface', () => {
  /** By the beginning of its address. Whoever gives money back, or changes what others rely on, has a permission for it. */
  const PERMISSION_TO_CHANGE: readonly (readonly [place: RegExp, permission: Permission])[] = [
    [/\/refunds$/, 'refunds'],
    [/^\w+ \/(invoices|cards|customers)/, 'payments'],
    [/^\w+ \/(events|webhook-endpoints)/, 'webhooks'],
    [/^POST \/routing-rules\/explain$/, 'read'],
    [/^\w+ \/(gateways|gateway-configurations|routing-rules|rule-sets|reconciliation-differences)/, 'configuration'],
  ]

  test('that changes something needs the permission for what it changes', () => {
    for (const [name, facts] of GUARDED.filter(isChange)) {
      const [, permission] = PERMISSION_TO_CHANGE.find(([place]) => place.test(name)) ?? []
      expect([name, accessOf(facts)?.permission]).toEqual([name, permission])
    }
  })

  test('is open to clients only where a page needs it', () => {
    const open = GUARDED.filter(([, facts]) => accessOf(facts)?.isOpenToClients === true).map(([name]) => name)
    expect(open.toSorted()).toEqual([
      'DELETE /customers/:id/tokens/:token_id',
      'GET /gateway-configurations',
      'GET /iins/:iin',
      'GET /invoices/:id',
      'POST /cards',
      'POST /invoices/:id/authorize',
      'POST /invoices/:id/capture',
      'POST /invoices/:id/increment_authorization',
      'POST /invoices/:id/three-d-s',
      'PUT /cards/:id',
      'PUT /customers/:id/tokens/:token_id',
    ])
  })

  test('needs no key only where it tells nothing of a project, and where a gateway proves itself by its signature', () => {
    expect(ROUTES.filter(([name]) => !(name in OPERATIONS)).map(([name]) => name)).toEqual([
      'POST /gateways/:name/notifications/:configuration_id',
      'GET /',
      'GET /error-codes',
      'GET /health/live',
      'GET /health/ready',
    ])
  })

  test('needs no key only where an address is limited first, or what it does is cheap or limited where it is refused', () => {
    const unlimited = openRoutes().filter(({ facts: [first] }) => first?.limitsAddress !== true)
    expect(unlimited.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /gateways/:name/notifications/:configuration_id',
      'GET /health/live',
      'GET /health/ready',
    ])
  })

  test('knows its caller before it reads the body or does anything else', () => {
    for (const [name, facts] of GUARDED) expect([name, accessOf(facts)]).toEqual([name, expect.anything()])
  })

  test('takes a place when its body is there, however slowly it comes, and one of its own kind where a payment answers', () => {
    for (const [name, facts] of GUARDED) {
      const order = facts.flatMap(({ body, place }) => [body && 'body', place && 'place']).filter(Boolean)
      expect([name, order]).toEqual([name, isChange([name, facts]) ? ['body', 'place'] : ['place']])
    }
    const waiting = GUARDED.filter(([, facts]) => facts.some(({ place }) => place === 'waiting')).map(([name]) => name)
    expect(waiting.toSorted()).toEqual([
      'POST /customers/:id/tokens',
      'POST /invoices/:id/authorize',
      'POST /invoices/:id/capture',
      'POST /invoices/:id/clock/advance',
      'POST /invoices/:id/increment_authorization',
      'POST /invoices/:id/refunds',
      'POST /invoices/:id/three-d-s',
      'POST /invoices/:id/void',
      'POST /transactions/:id/refunds',
      'PUT /customers/:id/tokens/:token_id',
      'PUT /invoices/:id/sync-with-psp',
    ])
  })

  test('that only reads needs no more than the permission to read, and any other more than that', () => {
    // An explanation of the routing rules takes a body, and changes nothing.
    const reads = GUARDED.filter(([, facts]) => accessOf(facts)?.permission === 'read').map(([name]) => name)
    expect(reads).toEqual(
      GUARDED.map(([name]) => name).filter((name) => name.startsWith('GET ') || name === 'POST /routing-rules/explain'),
    )
    expect(PERMISSIONS_OF_ROLE.support).toEqual(['read'])
  })

  test('takes the parameters of a list, a range for an export, and none but expand elsewhere', () => {
    for (const [name, facts] of GUARDED) {
      const ofList = name === 'GET /gateway-configurations' ? [...LIST_PARAMETERS, 'expand_merchant_accounts'] : null
      const expected = isList(name)
        ? (ofList ?? LIST_PARAMETERS)
        : name.endsWith('.csv')
          ? EXPORT_PARAMETERS
          : undefined
      expect([name, accessOf(facts)?.query]).toEqual([name, expected])
    }
  })

  test('counts towards the secondary limit only where it reads events', () => {
    const secondary = GUARDED.filter(([, facts]) => accessOf(facts)?.isSecondary === true).map(([name]) => name)
    expect(secondary).toEqual(['GET /events', 'GET /events/:id'])
  })

  /** In bytes; every other route that takes a body takes 64 KiB. */
  const LARGER_BODIES: Readonly<Record<string, number>> = {
    'POST /invoices': 262_144,
    'PUT /invoices/:id': 262_144,
    'POST /invoices/:id/authorize': 98_304,
    'POST /invoices/:id/capture': 98_304,
    'POST /invoices/:id/three-d-s': 98_304,
    'POST /invoices/:id/refunds': 98_304,
    'POST /transactions/:id/refunds': 98_304,
    'POST /gateway-configurations/:id/settlement-files': 1_048_576,
  }

  test('reads a body where it changes something, in limits of its own, and none elsewhere', () => {
    for (const [name, facts] of GUARDED) {
      const expected = name.startsWith('GET ') ? [] : [LARGER_BODIES[name] ?? 65_536]
      expect([name, facts.flatMap(({ body }) => body?.bytes ?? [])]).toEqual([name, expected])
    }
  })

  test('that changes something keeps its answer under the idempotency key', () => {
    const kept = GUARDED.filter(([, facts]) => facts.some(({ keepsAnswers }) => keepsAnswers)).map(([name]) => name)
    // These two go on after the change that is kept: test/api/tokens/tokens.test.ts repeats them.
    const others = ['POST /customers/:id/tokens', 'PUT /customers/:id/tokens/:token_id']
    const changes = GUARDED.filter(isChange).map(([name]) => name)
    expect(kept).toEqual(changes.filter((name) => !others.includes(name)))
  })
})

test('an address is open to clients only by the methods that are', () => {
  const open = (method: string) => isOpenToClients(router, '/cards/card_1', method)
  expect(['GET', 'PUT', 'DELETE', 'PATCH'].map(open)).toEqual([false, true, false, false])
  expect(isOpenToClients(router, '/nowhere', 'GET')).toBe(false)
})

describe('a call of the dashboard', () => {
  const CALLS = routesWithFacts(dashboardOf({} as AppDeps))
  const peopleOf = ([guard]: RouteFacts[]) => guard?.people
  const callsOf = (holds: (people: RouteFacts['people']) => boolean) =>
    CALLS.filter(([, facts]) => holds(peopleOf(facts))).map(([name]) => name.replace('/dashboard', ''))

  test('needs a session, but for signing in and the files of the pages', () => {
    expect(callsOf((people) => people === undefined)).toEqual([
      'POST /session',
      // Whoever has the secret of a one-time link.
      'POST /password',
      'POST /invitation',
      'POST /account',
      'GET ',
      'GET /assets/:file',
    ])
  })

  test('about the own account needs no project', () => {
    expect(callsOf((people) => people === 'half signed in')).toEqual([
      'GET /session',
      'DELETE /session',
      'POST /session/second-factor/options',
      'POST /session/second-factor',
    ])
    expect(callsOf((people) => people === 'signed in')).toEqual([
      'DELETE /sessions',
      'PUT /password',
      'POST /second-factors/passkeys/options',
      'POST /second-factors/passkeys',
      'DELETE /second-factors/passkeys/:id',
      'POST /second-factors/codes/options',
      'PUT /second-factors/codes',
      'DELETE /second-factors/codes',
      'POST /second-factors/recovery-codes',
      'POST /membership',
    ])
  })

  test('that changes the people or the keys of a project is for those who manage them', () => {
    expect(callsOf((people) => people === managesPeople)).toEqual([
      'PUT /second-factor',
      'PUT /people/:id',
      'DELETE /people/:id',
      'GET /invitations',
      'POST /invitations',
      'DELETE /invitations/:id',
    ])
    expect(callsOf((people) => people === managesApiKeys)).toEqual([
      'POST /api-keys',
      'GET /sandbox-key',
      'DELETE /api-keys/:id',
    ])
  })

  test('that every role may make changes nothing', () => {
    const everyRole = peopleOf(CALLS.find(([name]) => name === 'GET /dashboard/people')?.[1] ?? [])
    expect(callsOf((people) => people === everyRole)).toEqual([
      'GET /people',
      'GET /api-keys',
      'GET /payments',
      'GET /payment-sums',
      'GET /payments.csv',
      'GET /payments/:id',
      'GET /disputes',
      'GET /disputes/open',
      'GET /customers',
      'GET /statistics',
      'GET /rate-limits',
      'GET /gateways',
      'GET /gateway-configurations/:id',
      // Shows what rules would have done.
      'POST /routing-rules/dry-run',
    ])
  })
})
