import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import { CLIENT_FAILURE_LIMITS } from '../../../domain/client-failures.ts'
import { NETWORK_LIMITS } from '../../../domain/network-limits.ts'
import { PROJECT_LIMITS } from '../../../domain/rate-limits.ts'

/** A merchant's project, which owns everything else, in both environments. */
export const ProjectEntity = defineEntity({
  name: 'Project',
  tableName: 'project',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    /** The currency where no other is given, such as for the verification of a card. */
    defaultCurrency: p.string().default('USD'),
    /** A gateway may approve less than requested. If false, such a payment is declined and the approved part voided. */
    acceptsPartialApprovals: p.boolean().default(false),
    /** Requests a minute: see `domain/rate-limits.ts`. */
    primaryLimit: p.integer().default(PROJECT_LIMITS.primary),
    secondaryLimit: p.integer().default(PROJECT_LIMITS.secondary),
    sandboxLimit: p.integer().default(PROJECT_LIMITS.sandbox),
    clientAddressLimit: p.integer().default(PROJECT_LIMITS.client_address),
    clientInvoiceLimit: p.integer().default(PROJECT_LIMITS.client_invoice),
    /** While set, no new money moves. */
    suspendedAt: p.datetime(3).nullable(),
    /** Clients may also capture and increment existing authorizations. */
    allowsClientCaptures: p.boolean().default(false),
    /** Clients may also set options that override rules of the networks. */
    allowsClientOverrides: p.boolean().default(false),
    /** Clients may also choose the captured amount. */
    allowsClientAmounts: p.boolean().default(false),
    /** The origins whose pages may show the card form in a frame; an empty list allows all of them. */
    pageOrigins: p.array().default([]),
    /** Mastercard's advice 21 blocks the merchant's own payments with a card for 30 days. */
    blocksStoppedPayments: p.boolean().default(false),
    /** Mastercard's advice 24 to 30 blocks the merchant's own payments with a card for the advised time. */
    enforcesRetryAfter: p.boolean().default(false),
    /** Whether its people need something beside the password. */
    requiresSecondFactor: p.boolean().default(false),
    /** Authorizations for which Visa or Mastercard would charge a fee are not sent. */
    enforcesNetworkLimits: p.boolean().default(false),
    /** The networks' limits without a fee: see `domain/network-limits.ts`. */
    visaReattempts: p.integer().default(NETWORK_LIMITS.visaReattempts),
    mastercardDeclinesPerDay: p.integer().default(NETWORK_LIMITS.mastercardDeclinesPerDay),
    mastercardDeclinesPerAmount: p.integer().default(NETWORK_LIMITS.mastercardDeclinesPerAmount),
    /** How many attempts of clients may fail: see `domain/client-failures.ts`. */
    clientFailuresPerInvoice: p.integer().default(CLIENT_FAILURE_LIMITS.clientFailuresPerInvoice),
    clientFailuresPerCard: p.integer().default(CLIENT_FAILURE_LIMITS.clientFailuresPerCard),
    clientFailuresPerProject: p.integer().default(CLIENT_FAILURE_LIMITS.clientFailuresPerProject),
    createdAt: p.datetime(3),
  },
})

export type ProjectRow = InferEntity<typeof ProjectEntity>
