import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { PERMISSIONS } from '../../domain/permission.ts'
import { routesOf } from '../../src/http/app.ts'
import type { AppDeps } from '../../src/http/dependencies.ts'
import { accessesOf } from '../../src/http/route-access.ts'
import { presentCard } from '../../src/presenters/card.ts'
import { clientView } from '../../src/presenters/client-view.ts'
import { presentGatewayConfiguration } from '../../src/presenters/gateway-configuration.ts'
import { presentInvoice } from '../../src/presenters/invoice.ts'
import { presentToken } from '../../src/presenters/token.ts'
import { presentTransaction } from '../../src/presenters/transaction.ts'
import { makeRows } from '../persistence/rows.ts'

const page = readFileSync(new URL('../../docs/authentication.md', import.meta.url), 'utf8')

/** The rows of the first table below a heading, each as the words in it that are written as code. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [, table = ''] = /\n\|[^\n]*\n\|---[^\n]*\n((?:\|[^\n]*\n)+)/.exec(section) ?? []
  return table
    .trim()
    .split('\n')
    .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word))
}

/** The names of all fields of an object, but for those of another kind of object that stands in it. */
function fieldsOf(value: object): string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'transaction' || name === 'invoice') return []
    const inside = [inner].flat().filter((one) => typeof one === 'object' && one !== null)
    return [name, ...inside.flatMap(fieldsOf)]
  })
}

const rows = makeRows('docs')
const VIEWS: readonly object[] = [
  { invoice: presentInvoice(rows.invoice, null, { details: [rows.invoiceDetail] }) },
  { transaction: presentTransaction(rows.transaction) },
  { card: presentCard(rows.card) },
  { token: presentToken(rows.token, rows.customer) },
  { gateway_configurations: [presentGatewayConfiguration(rows.gatewayConfiguration, null, [])] },
]

describe('docs/authentication.md', () => {
  test('names every permission, and no other', () => {
    expect(rowsBelow('Secret keys').map(([name]) => name)).toEqual(expect.arrayContaining([...PERMISSIONS]))
    expect(rowsBelow('Secret keys')).toHaveLength(PERMISSIONS.length)
  })

  test('names every call that is open to clients, and no other', () => {
    const open = accessesOf(routesOf({} as AppDeps))
      .filter(({ access }) => access?.isOpenToClients === true)
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const named = rowsBelow('Calls of clients').flatMap((words) => words.filter((word) => /^[A-Z]+ \//.test(word)))
    expect(named.toSorted()).toEqual(open.toSorted())
  })

  test.each(VIEWS.map((body, index) => [Object.keys(body)[0], body, index] as const))(
    'names every field that a client sees of the %s, and no other',
    (_, body, index) => {
      const [object = {}] = Object.values(clientView(body)).flat()
      expect(new Set(rowsBelow('What a client sees')[index])).toEqual(new Set(fieldsOf(object)))
    },
  )
})
