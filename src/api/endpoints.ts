import type { Endpoint, Section } from '../http/endpoint.ts'
import { BOOKS } from './books/endpoints.ts'
import { CARDS } from './cards/endpoints.ts'
import { CUSTOMERS } from './customers/endpoints.ts'
import { EVENTS } from './events/endpoints.ts'
import { GATEWAY_CONFIGURATIONS } from './gateway-configurations/endpoints.ts'
import { INVOICES } from './invoices/endpoints.ts'
import { PAYMENTS } from './payments/endpoints.ts'
import { PROJECTS } from './projects/endpoints.ts'
import { REQUEST_LOG } from './request-log/endpoints.ts'
import { ROUTING } from './routing/endpoints.ts'
import { SERVICE } from './service/endpoints.ts'
import { TOKENS } from './tokens/endpoints.ts'
import { TRANSACTIONS } from './transactions/endpoints.ts'
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints/endpoints.ts'

/** The sections of the reference, in their order. */
export const SECTIONS: readonly Section[] = [
  INVOICES,
  PAYMENTS,
  TRANSACTIONS,
  CARDS,
  CUSTOMERS,
  TOKENS,
  EVENTS,
  WEBHOOK_ENDPOINTS,
  GATEWAY_CONFIGURATIONS,
  BOOKS,
  ROUTING,
  REQUEST_LOG,
  PROJECTS,
  SERVICE,
]

/** Every endpoint of the interface. Router, access, reference, clients and command line are made of them. */
export const ENDPOINTS: readonly Endpoint[] = SECTIONS.flatMap(({ endpoints }) => endpoints)
