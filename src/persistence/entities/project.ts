import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import { CLIENT_FAILURE_LIMITS } from '../../../domain/client-failures.ts'
import { NETWORK_LIMITS } from '../../../domain/network-limits.ts'
import { PROJECT_LIMITS } from '../../../domain/rate-limits.ts'

/** A merchant's project: owner of everything else, in both environments. */
export const ProjectEntity = defineEntity({
  name: 'Project',
  tableName: 'project',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    /** The currency of what has none of its own, such as the verification of a card. */
    defaultCurrency: p.string().default('USD'),
    /** A gateway may approve less than was asked; without this a payment is then declined and the part voided. */
    acceptsPartialApprovals: p.boolean().default(false),
    /** Requests a minute: see `domain/rate-limits.ts`. */
    primaryLimit: p.integer().default(PROJECT_LIMITS.primary),
    secondaryLimit: p.integer().default(PROJECT_LIMITS.secondary),
    sandboxLimit: p.integer().default(PROJECT_LIMITS.sandbox),
    clientAddressLimit: p.integer().default(PROJECT_LIMITS.client_address),
    clientInvoiceLimit: p.integer().default(PROJECT_LIMITS.client_invoice),
    /** While it is set, no new money moves. */
    suspendedAt: p.datetime(3).nullable(),
    /** Calls without a secret may also capture and increment what is authorized. */
    allowsClientCaptures: p.boolean().default(false),
    /** Calls without a secret may also set what overrides a rule of the networks. */
    allowsClientOverrides: p.boolean().default(false),
    /** Calls without a secret may also say how much is captured. */
    allowsClientAmounts: p.boolean().default(false),
    /** Mastercard's advice 21 keeps the merchant's own payments from a card for 30 days. */
    blocksStoppedPayments: p.boolean().default(false),
    /** Mastercard's advice 24 to 30 keeps the merchant's own payments from a card until its time. */
    enforcesRetryAfter: p.boolean().default(false),
    /** A try for which Visa or Mastercard would charge a fee is not sent. */
    enforcesNetworkLimits: p.boolean().default(false),
    /** What the networks let pass without a fee: see `domain/network-limits.ts`. */
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
