import { describe, expect, test } from '@jest/globals'
import { readExpansion } from '../../../src/http/expansion/paths.ts'
import type { ResourceName } from '../../../src/http/expansion/resources.ts'
import { expectRefused, queried, refusalOf } from '../../api/refusals.ts'

describe('an expansion', () => {
  test.each([
    'expand=transaction.card&expand=customer',
    'expand[]=transaction.card&expand[]=customer',
    'expand%5B0%5D=transaction.card&expand%5B1%5D=customer',
    'expand=transaction.card,customer',
    'expand= transaction.card , customer ,,',
    'expand=transaction&expand=transaction.card,customer&expand=',
  ])('may be written as %s', (query) => {
    const { transaction, customer } = Object.fromEntries(readExpansion(queried(query), 'invoice'))
    expect([[...(transaction ?? []).keys()], [...(customer ?? []).keys()]]).toEqual([['card'], []])
  })

  test.each<[resource: ResourceName, expand: string, message: RegExp]>([
    ['invoice', 'payment', /"payment", which is no relation of invoice, which has transaction, customer, token/],
    ['invoice', 'transaction.cards', /"cards", which is no relation of transaction, which has invoice/],
    ['transaction', 'operations.card', /no relation of operation, which has nothing to expand/],
    ['transaction', 'invoice.transaction.invoice.transaction', /3 relations deep/],
    ['invoice', 'transaction..card', /""/],
    ['invoice', '__proto__', /"__proto__"/],
    ['invoice', 'constructor', /"constructor"/],
    ['event', 'transaction', /no relation of event/],
    ['gateway_configuration', 'card', /nothing to expand/],
    ['invoice', Array.from({ length: 51 }, () => 'customer').join(','), /50 paths at most/],
  ])('of %s cannot be %s', (resource, expand, message) => {
    const read = () => readExpansion(queried(`expand=${expand}`), resource)
    expectRefused(read, 'expand', 'request.expand.invalid')
    expect(refusalOf(read).message).toMatch(message)
  })

  test.each<[ResourceName, string]>([
    ['gateway_configuration', 'gateway'],
    ['token', 'gateway_configuration.gateway'],
    ['transaction', 'invoice.token,gateway_configuration.gateway'],
  ])('of %s may be %s, which is shown in any case', (resource, expand) => {
    expect(() => readExpansion(queried(`expand=${expand}`), resource)).not.toThrow()
    expectRefused(() => readExpansion(queried(`expand=${expand}.name`), resource), 'expand', 'request.expand.invalid')
  })

  test.each([[['no_such']], ['no_such'], [[1]], [{ a: 1 }], [5], [['customer.no_such']]])(
    'in a body cannot be %j',
    (expand) => {
      expectRefused(() => readExpansion(queried('', { expand }), 'invoice'), 'expand', 'request.expand.invalid')
    },
  )
})
