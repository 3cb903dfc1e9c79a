import { beforeAll, describe, expect, test } from '@jest/globals'
import { customersAnswer } from '../../src/dashboard/contract.ts'
import { interfaceForFile } from '../http/interface.ts'
import { rowWriter } from '../http/row-writer.ts'
import { forFile } from '../support/for-file.ts'
import { signedInAs } from './browser.ts'

const api = interfaceForFile()
const person = forFile(async () => signedInAs(api, 'support'))
const rows = forFile(async () => rowWriter(api, api.merchant))

beforeAll(async () => {
  await rows.customer('cust_Ada', {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@shopper.example',
    createdAt: new Date(1e12),
  })
  await rows.customer('cust_Adam', {
    firstName: 'Adam',
    lastName: 'Ö_zil',
    email: 'oezil@xn--bcher-kva.example',
    createdAt: new Date(2e12),
  })
  await rows.customer('cust_Only', { lastName: 'محمود', referenceId: 'C-17', createdAt: new Date(3e12) })
  await rows.customer('cust_Gone', { email: null, firstName: null, lastName: null, deletedAt: new Date(1e12) })
})

const search = async (query: Record<string, string>) =>
  customersAnswer.parse((await person.get(`/dashboard/customers?${new URLSearchParams(query)}`)).body)

describe('customers', () => {
  test.each([
    ['all, the newest first', {}, ['Only', 'Adam', 'Ada']],
    ['all after one', { start_after: 'cust_Adam' }, ['Ada']],
    ['by the beginning of a name, whatever its case', { search: ' aDA' }, ['Ada', 'Adam']],
    ['by first and last name', { search: 'Ada Lov' }, ['Ada']],
    ['by the last name', { search: 'lovelace' }, ['Ada']],
    ['by a name in Arabic without a first name', { search: 'محم' }, ['Only']],
    ['by the beginning of an address', { search: 'ada@' }, ['Ada']],
    ['by an address whose domain is kept in ASCII', { search: 'oezil@bücher.example' }, ['Adam']],
    ['by the id', { search: 'cust_Only' }, ['Only']],
    ['by the reference', { search: 'C-17' }, ['Only']],
    ['by a sign that would stand for any', { search: 'Ö_z' }, ['Adam']],
    ['by a sign that stands for any elsewhere', { search: '%' }, []],
    ['by nothing that is there', { search: 'Eva' }, []],
  ] as const)('%s', async (_, query, expected) => {
    const { customers, next } = await search(query)
    expect([customers.map(({ id }) => id.replace('cust_', '')), next]).toEqual([expected, null])
  })

  test('are shown with name, address and reference, and not to another project', async () => {
    expect((await search({ search: 'cust_Ada' })).customers).toEqual([
      {
        ...{ id: 'cust_Ada', name: 'Ada Lovelace', email: 'ada@shopper.example', reference_id: null },
        created_at: new Date(1e12).toISOString(),
      },
    ])
    const other = await api.makeMerchant({ sandbox: true })
    const stranger = await signedInAs(api, 'owner', other.projectId)
    for (const query of ['', '?search=ada', '?search=cust_Ada'])
      expect((await stranger.get(`/dashboard/customers${query}`)).body.customers).toEqual([])
  })
})
