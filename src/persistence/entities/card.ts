import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { CardChecks } from '../../../domain/operation.ts'

/** A card given for one payment. The number is ciphertext; the security code lives in a table of its own. */
export const CardEntity = defineEntity({
  name: 'Card',
  tableName: 'card',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    scheme: p.string(),
    coScheme: p.string().nullable(),
    preferredScheme: p.string().nullable(),
    type: p.string().nullable(),
    countryCode: p.string().nullable(),
    iin: p.string(),
    last4Digits: p.string().name('last4_digits'),
    fingerprint: p.string(),
    expMonth: p.integer(),
    expYear: p.integer(),
    name: p.string().nullable(),
    checks: p.json<CardChecks>().nullable(),
    metadata: p.json<Record<string, string>>(),
    numberCiphertext: p.blob(),
    numberKeyId: p.string(),
    /** The one invoice that this card may pay; set when the first attempt begins. */
    usedByInvoiceId: p.string().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type CardRow = InferEntity<typeof CardEntity>
