import type { CustomerRow } from '../../entities/customer.ts'
import { InvoiceEntity } from '../../entities/invoice.ts'
import type { Device } from '../../entities/invoice-groups.ts'
import { ProjectEntity } from '../../entities/project.ts'
import type { EntityManager } from '../../orm.ts'

export interface NewVerification {
  id: string
  tokenId: string
  metadata: Record<string, string>
  statementDescriptor: string | null
  returnUrl: string | null
  deviceChannel: string
  device: Device | null
  now: Date
}

/** The name shown in the merchant's list of invoices. */
const NAME = 'Verification'

/** Writes an invoice of zero, by which the issuer verifies the source of a token. */
export async function insertVerificationInvoice(
  em: EntityManager,
  { id: customerId, projectId, sandbox, currency }: CustomerRow,
  { now, ...given }: NewVerification,
): Promise<void> {
  const project = await em.findOneOrFail(ProjectEntity, { id: projectId }, { disableIdentityMap: true })
  await em.insert(InvoiceEntity, {
    ...given,
    projectId,
    sandbox,
    customerId,
    name: NAME,
    amountMinor: 0,
    currency: currency ?? project.defaultCurrency,
    verification: true,
    incremental: false,
    bypassIncrementalAuthorization: false,
    gatewayData: {},
    createdAt: now,
    updatedAt: now,
  })
}
