import type { Permission } from '../../domain/permission.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { accessOf } from '../../src/http/endpoint.ts'
import { type FilledProject, type ObjectKind, unknownId } from './filled-projects.ts'

export const INVOICE = { name: 'Order 1', amount: '29.00', currency: 'EUR' }
export const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc2: '123' }

const SOURCE = { source: `card_${'a'.repeat(32)}` }

/** Bodies that operations accept; the others take none, or an empty one. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /cards': CARD,
  'PUT /cards/:id': { preferred_scheme: 'visa' },
  'POST /customers': { email: 'ann@shop.example' },
  'PUT /customers/:id': { email: 'ann@shop.example' },
  'POST /invoices': INVOICE,
  'PUT /invoices/:id': { name: 'Order 2' },
  'POST /invoices/:id/customers': { email: 'ann@shop.example' },
  'POST /invoices/:id/authorize': SOURCE,
  'POST /invoices/:id/capture': SOURCE,
  'POST /invoices/:id/three-d-s': SOURCE,
  'POST /invoices/:id/increment_authorization': { amount: '1.00' },
  'POST /invoices/:id/refunds': { amount: '1.00' },
  'POST /invoices/:id/clock/advance': { seconds: 60 },
  'POST /transactions/:id/refunds': { amount: '1.00' },
  'POST /gateways/:name/gateway-configurations': { name: 'Second account' },
  'PUT /gateway-configurations/:id': { name: 'First account' },
  'POST /gateway-configurations/:id/settlement-files': { content: 'A report.' },
  'POST /reconciliation-differences/:id/resolve': { reason: 'A fee.' },
  'POST /routing-rules': { rules: 'block { condition: card_country == FR; }' },
  'POST /routing-rules/explain': { payment: { amount: '29.00', currency: 'EUR' } },
  'POST /webhook-endpoints': { url: 'https://shop.example/webhooks' },
  'PUT /webhook-endpoints/:id': { description: 'The books' },
  'POST /webhook-endpoints/:id/recover': { since: '2026-11-21T00:00:00Z' },
}

/** Whom an operation lets in, and a body that it accepts. */
interface Operation {
  permission: Permission
  isOpenToClients: boolean
  body?: object
}

/** Every operation that needs credentials. */
export const OPERATIONS: Readonly<Record<string, Operation>> = Object.fromEntries(
  ENDPOINTS.flatMap((endpoint) => {
    const access = accessOf(endpoint)
    if (access === null) return []
    const { permission, isOpenToClients = false } = access
    const body = endpoint.httpMethod === 'GET' ? {} : { body: BODIES[endpoint.place] ?? {} }
    return [[endpoint.place, { permission, isOpenToClients, ...body }]]
  }),
)

/** The kind of object that the beginning of an address names. */
const KIND_OF: Readonly<Record<string, ObjectKind>> = {
  cards: 'card',
  customers: 'customer',
  invoices: 'invoice',
  transactions: 'transaction',
  events: 'event',
  'webhook-endpoints': 'webhookEndpoint',
  'gateway-configurations': 'gatewayConfiguration',
  reconciliations: 'reconciliation',
  'reconciliation-differences': 'reconciliationDifference',
  'rule-sets': 'ruleSet',
  'api-requests': 'apiRequest',
}

/** Whose objects an address names. */
type Owner = Pick<FilledProject, 'id'> & Partial<Pick<FilledProject, 'gatewayName'>>

/** Owns what does not exist. */
export const NOBODY: Owner = { id: unknownId }

/** The address of an operation on the objects of an owner; those below the first may be another's. */
export function addressOf(operation: string, owner: Owner, ownerBelow: Owner = owner): string {
  const [, path = ''] = operation.split(' ')
  const kind = KIND_OF[path.split('/')[1] ?? '']
  return path
    .replace(':token_id', ownerBelow.id('token'))
    .replace(':refund_id', ownerBelow.id('refund'))
    .replace(':iin', '424242')
    .replace(':name', owner.gatewayName ?? 'simulator')
    .replace(':id', kind === undefined ? ':id' : owner.id(kind))
}

export const namesObject = (operation: string): boolean => operation.includes('/:id')
export const namesObjectBelow = (operation: string): boolean => /:(?:token|refund)_id/.test(operation)
export const isList = (operation: string): boolean =>
  ENDPOINTS.some(({ place, filters }) => place === operation && filters !== undefined)
