import { AUTHENTICATE, AUTHORIZE } from './authorize.ts'
import { CAPTURE } from './capture.ts'
import { CARDS } from './cards.ts'
import { CUSTOMERS, TOKENS } from './customers.ts'
import { INVOICES } from './invoices.ts'
import { INCREMENT, SYNCHRONIZE, VOID } from './later-steps.ts'
import type { Section } from './outcome.ts'
import { ACCOUNTS, EVENTS, REQUESTS, TRANSACTIONS } from './reading.ts'
import { REFUNDS } from './refunds.ts'
import { ROUTING_RULES } from './routing-rules.ts'
import { SERVICE } from './service.ts'
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints.ts'

/** Every endpoint with everything that it can answer, in the order of the reference. */
export const SECTIONS: readonly Section[] = [
  { title: 'Cards', endpoints: CARDS },
  { title: 'Customers', endpoints: CUSTOMERS },
  { title: 'Tokens', endpoints: TOKENS },
  { title: 'Invoices', endpoints: INVOICES },
  { title: 'Payments', endpoints: [AUTHORIZE, CAPTURE, AUTHENTICATE, INCREMENT, VOID, SYNCHRONIZE] },
  { title: 'Refunds', endpoints: REFUNDS },
  { title: 'Transactions', endpoints: TRANSACTIONS },
  { title: 'Events', endpoints: EVENTS },
  { title: 'Webhook endpoints', endpoints: WEBHOOK_ENDPOINTS },
  { title: 'Gateway accounts', endpoints: ACCOUNTS },
  { title: 'Routing rules', endpoints: ROUTING_RULES },
  { title: 'Request log', endpoints: REQUESTS },
  { title: 'The service itself', endpoints: SERVICE },
]
