import { describe, expect, test } from '@jest/globals'
import { ERRORS } from '../../domain/errors.ts'
import type { Endpoint, Outcome } from '../../scripts/docs/endpoints/outcome.ts'
import { SECTIONS } from '../../scripts/docs/endpoints/sections.ts'
import { ANYWHERE } from '../../scripts/docs/endpoints/service.ts'
import {
  apiRoutes,
  changesSomething,
  isPublic,
  movesMoney,
  namesAnObject,
  type Route,
  takesFields,
} from '../http/routes.ts'

const ENDPOINTS = SECTIONS.flatMap(({ endpoints }) => endpoints)
const ROWS = [...ENDPOINTS.flatMap(({ outcomes }) => outcomes), ...ANYWHERE]
const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** The routes for which the page has no row that is like this. */
function without(holds: (route: Route) => boolean, isLike: (outcome: Outcome, route: Route) => boolean): string[] {
  const endpointOf = (route: Route): Endpoint | undefined => ENDPOINTS.find((one) => nameOf(one) === nameOf(route))
  return apiRoutes()
    .filter(holds)
    .filter((route) => !endpointOf(route)?.outcomes.some((outcome) => isLike(outcome, route)))
    .map(nameOf)
}

const hasStatus = (status: number) => (outcome: Outcome) => outcome.status === status

describe('docs/endpoints.md', () => {
  test('has each endpoint once, and no other', () => {
    expect(ENDPOINTS.map(nameOf).toSorted()).toEqual(apiRoutes().map(nameOf).toSorted())
  })

  test('says nothing twice of an endpoint', () => {
    for (const { outcomes, ...endpoint } of ENDPOINTS) {
      const said = outcomes.map(({ when, errorType }) => `${nameOf(endpoint)}: ${when} ${errorType}`)
      expect(said).toEqual([...new Set(said)])
    }
  })

  test('has a success of each, and for each that needs a key what happens without', () => {
    expect(without(() => true, hasStatus(200))).toEqual([])
    expect(without((route) => !isPublic(route), hasStatus(401))).toEqual([])
  })

  test('says of each that names an object what happens where it is not there', () => {
    expect(without(namesAnObject, hasStatus(404))).toEqual([])
  })

  test('says of each that takes fields, or a query, what happens where they are wrong', () => {
    const isWrongField = ({ errorType }: Outcome) => /^request\.(validation|pagination|expand)\./.test(errorType ?? '')
    expect(without(takesFields, isWrongField)).toEqual([])
    const answersPlainly = ['GET /iins/:iin', 'GET /invoices/:id/customers', 'GET /api-requests/:id']
    expect(without((route) => !isPublic(route) && route.method === 'GET', isWrongField)).toEqual(answersPlainly)
  })

  test('says of each that changes something what a repetition and a wrong body do', () => {
    expect(without(changesSomething, ({ when }) => when.startsWith('sent again with its idempotency key'))).toEqual([])
    for (const code of ['request.idempotency-key.invalid', 'request.bad-format', 'request.body-too-large'] as const)
      expect(without(changesSomething, ({ errorType }) => errorType === code)).toEqual([])
  })

  test('says of each that depends on the state of an object what happens where that forbids it', () => {
    const depends = ({ method, path }: Route) =>
      method !== 'GET' && /^\/(invoices|transactions)\/:id/.test(path) && !path.endsWith('sync-with-psp')
    expect(without(depends, ({ errorType }) => errorType === 'request.validation.invalid-state')).toEqual([])
  })

  test('says of each that moves money when its outcome is pending, and when it is declined', () => {
    const moves = (route: Route) => route.method === 'POST' && movesMoney(route)
    expect(without(moves, ({ outcome }) => outcome === 'pending')).toEqual([])
    expect(without(moves, hasStatus(410))).toEqual([])
  })

  test('gives each code its status', () => {
    for (const { errorType, status } of ROWS) if (errorType !== null) expect(status).toBe(ERRORS[errorType].status)
  })
})
