import { ReconciliationEntity } from '../../../src/persistence/entities/reconciliation.ts'
import { ReconciliationDifferenceEntity } from '../../../src/persistence/entities/reconciliation-difference.ts'
import { DIFFERENCE, RECONCILIATION, rowWriter } from '../../../test/http/listed-rows.ts'
import type { Stack } from '../../../test/support/stack.ts'

/** Puts a reconciliation `rec_1` with an open difference `rec_diff_1` into the books of the stack's project. */
export async function putDifference(stack: Stack): Promise<void> {
  const rows = await rowWriter(stack, { projectId: stack.project.id })
  const owned = { gatewayConfigurationId: rows.gatewayConfigurationId, id: 'rec_1' }
  await rows.insert(ReconciliationEntity, { ...RECONCILIATION, ...owned })
  await rows.insert(ReconciliationDifferenceEntity, {
    ...DIFFERENCE,
    ...owned,
    id: 'rec_diff_1',
    reconciliationId: 'rec_1',
  })
}

/** An account at Adyen, which hands in reports. It takes no payments. */
export const ADYEN_ACCOUNT = {
  name: 'Adyen',
  enabled: false,
  credentials: { apiKey: 'AQE-planted-key-of-the-test' },
  settings: { merchantAccount: 'ShopEU', environment: 'test', returnUrl: 'https://shop.example/return' },
}

/** A Settlement details report of that account, with one capture. */
export const ADYEN_REPORT = [
  'Merchant Account,Psp Reference,Merchant Reference,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Batch Number',
  'ShopEU,8835513412345678,tr_op_1,2026-11-21 10:00:00,UTC,Settled,8825513498765432,EUR,,1.00,12',
].join('\n')
