import type { Permission } from '../../domain/permission.ts'
import { LIST_ROUTES } from '../../src/http/lists/list-routes.ts'
import { type FilledProject, type ObjectKind, unknownId } from './filled-projects.ts'

export const INVOICE = { name: 'Order 1', amount: '29.00', currency: 'EUR' }
export const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc2: '123' }

/** Whom an operation lets in, written a second time, so that a slip in the router shows. */
interface Operation {
  permission: Permission
  isOpenToClients?: true
  /** A body that the operation accepts. */
  body?: object
}

const SOURCE = { source: `card_${'a'.repeat(32)}` }
const open = { isOpenToClients: true } as const
const read = { permission: 'read' } as const
const pays = { permission: 'payments' } as const
const hooks = { permission: 'webhooks' } as const
const sets = { permission: 'configuration' } as const

/** Every operation that needs credentials, by its place in the router. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /cards': { ...pays, ...open, body: CARD },
  'GET /cards': read,
  'GET /cards/:id': read,
  'PUT /cards/:id': { ...pays, ...open, body: { preferred_scheme: 'visa' } },
  'DELETE /cards/:id': { ...pays, body: {} },
  'GET /iins/:iin': { ...read, ...open },
  'GET /customers': read,
  'POST /customers': { ...pays, body: { email: 'ann@shop.example' } },
  'GET /customers/:id': read,
  'PUT /customers/:id': { ...pays, body: { email: 'ann@shop.example' } },
  'DELETE /customers/:id': { ...pays, body: {} },
  'GET /customers/:id/tokens': read,
  'POST /customers/:id/tokens': { ...pays, body: {} },
  'GET /customers/:id/tokens/:token_id': read,
  'PUT /customers/:id/tokens/:token_id': { ...pays, ...open, body: {} },
  'DELETE /customers/:id/tokens/:token_id': { ...pays, ...open, body: {} },
  'GET /customers/:id/transactions': read,
  'GET /invoices': read,
  'POST /invoices': { ...pays, body: INVOICE },
  'GET /invoices/:id': { ...read, ...open },
  'PUT /invoices/:id': { ...pays, body: { name: 'Order 2' } },
  'DELETE /invoices/:id': { ...pays, body: {} },
  'GET /invoices/:id/customers': read,
  'POST /invoices/:id/customers': { ...pays, body: { email: 'ann@shop.example' } },
  'GET /invoices/:id/transactions': read,
  'GET /invoices/:id/refunds': read,
  'POST /invoices/:id/authorize': { ...pays, ...open, body: SOURCE },
  'POST /invoices/:id/capture': { ...pays, ...open, body: SOURCE },
  'POST /invoices/:id/three-d-s': { ...pays, ...open, body: SOURCE },
  'POST /invoices/:id/increment_authorization': { ...pays, ...open, body: { amount: '1.00' } },
  'POST /invoices/:id/void': { ...pays, body: {} },
  'POST /invoices/:id/refunds': { permission: 'refunds', body: { amount: '1.00' } },
  'PUT /invoices/:id/sync-with-psp': { ...pays, body: {} },
  'POST /invoices/:id/clock/advance': { ...pays, body: { seconds: 60 } },
  'GET /transactions': read,
  'GET /transactions/:id': read,
  'GET /transactions/:id/refunds': read,
  'POST /transactions/:id/refunds': { permission: 'refunds', body: { amount: '1.00' } },
  'GET /transactions/:id/refunds/:refund_id': read,
  'GET /refunds': read,
  'GET /disputes': read,
  'GET /gateway-configurations': { ...read, ...open },
  'GET /gateway-configurations/:id': read,
  'POST /gateways/:name/gateway-configurations': { ...sets, body: { name: 'Second account' } },
  'PUT /gateway-configurations/:id': { ...sets, body: { name: 'First account' } },
  'DELETE /gateway-configurations/:id': { ...sets, body: {} },
  'POST /gateway-configurations/:id/settlement-files': { ...sets, body: { content: 'A report.' } },
  'GET /exports/transactions.csv': read,
  'GET /exports/operations.csv': read,
  'GET /exports/refunds.csv': read,
  'GET /reconciliations': read,
  'GET /reconciliations/:id': read,
  'GET /reconciliation-differences': read,
  'GET /reconciliation-differences/:id': read,
  'POST /reconciliation-differences/:id/resolve': { ...sets, body: { reason: 'A fee.' } },
  'GET /routing-rules': read,
  'POST /routing-rules': { ...sets, body: { rules: 'block { condition: card_country == FR; }' } },
  'POST /routing-rules/explain': { ...read, body: { payment: { amount: '29.00', currency: 'EUR' } } },
  'DELETE /routing-rules': { ...sets, body: {} },
  'GET /rule-sets': read,
  'GET /rule-sets/:id': read,
  'POST /rule-sets/:id/activate': { ...sets, body: {} },
  'GET /events': read,
  'GET /events/:id': read,
  'GET /events/:id/webhooks': read,
  'POST /events/:id/resend': { ...hooks, body: {} },
  'GET /webhook-endpoints': read,
  'POST /webhook-endpoints': { ...hooks, body: { url: 'https://shop.example/webhooks' } },
  'GET /webhook-endpoints/:id': read,
  'PUT /webhook-endpoints/:id': { ...hooks, body: { description: 'The books' } },
  'DELETE /webhook-endpoints/:id': { ...hooks, body: {} },
  'POST /webhook-endpoints/:id/rotate-secret': { ...hooks, body: {} },
  'POST /webhook-endpoints/:id/test': { ...hooks, body: {} },
  'POST /webhook-endpoints/:id/recover': { ...hooks, body: { since: '2026-11-21T00:00:00Z' } },
  'GET /webhook-endpoints/:id/webhooks': read,
  'GET /api-requests': read,
  'GET /api-requests/:id': read,
}

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
type Owner = Pick<FilledProject, 'id'>

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
    .replace(':name', 'simulator')
    .replace(':id', kind === undefined ? ':id' : owner.id(kind))
}

export const namesObject = (operation: string): boolean => operation.includes('/:id')
export const namesObjectBelow = (operation: string): boolean => /:(?:token|refund)_id/.test(operation)
export const isList = (operation: string): boolean =>
  operation === 'GET /events' || LIST_ROUTES.some(({ path }) => operation === `GET ${path}`)
