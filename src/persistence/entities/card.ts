import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { CardChecks } from '../../../domain/operation.ts'

export const CARD_CATEGORIES = ['consumer', 'commercial'] as const
export type CardCategory = (typeof CARD_CATEGORIES)[number]

/**
 * A card for one payment or one token. The number is encrypted; the security code has its own table. A deleted card keeps
 * its row without number, name and address, because transactions refer to it.
 */
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
    /** The issuer's country; `billingCountryCode` is the holder's. */
    countryCode: p.string().nullable(),
    bankName: p.string().nullable(),
    brand: p.string().nullable(),
    category: p.string().$type<CardCategory>().nullable(),
    iin: p.string(),
    last4Digits: p.string().name('last4_digits'),
    fingerprint: p.string(),
    expMonth: p.integer(),
    expYear: p.integer(),
    name: p.string().nullable(),
    address1: p.string().name('address1').nullable(),
    address2: p.string().name('address2').nullable(),
    city: p.string().nullable(),
    state: p.string().nullable(),
    zip: p.string().nullable(),
    billingCountryCode: p.string().nullable(),
    ipAddress: p.string().nullable(),
    userAgent: p.string().nullable(),
    headerAccept: p.string().nullable(),
    headerReferer: p.string().nullable(),
    appColorDepth: p.integer().nullable(),
    appJavaEnabled: p.boolean().nullable(),
    appLanguage: p.string().nullable(),
    appScreenHeight: p.integer().nullable(),
    appScreenWidth: p.integer().nullable(),
    /** Minutes, as browsers report it. */
    appTimezoneOffset: p.integer().nullable(),
    /** The wallet or network behind a number that is not the card's own, such as `applepay`. */
    tokenType: p.string().nullable(),
    tokenizationMethod: p.string().nullable(),
    /** A security code was given; it may be deleted by now. */
    cvcTokenized: p.boolean().default(false),
    hasBeenAuthorized: p.boolean().default(false),
    /** The last change of the card's data, and its cause. */
    updateType: p.string().nullable(),
    updateReasonCode: p.string().nullable(),
    checks: p.json<CardChecks>().nullable(),
    metadata: p.json<Record<string, string>>(),
    /** Null for a deleted card, and after the number was erased. */
    numberCiphertext: p.blob().nullable(),
    numberKeyId: p.string().nullable(),
    /** When the number was erased because it was no longer needed; the card cannot be charged any more. */
    numberErasedAt: p.datetime(3).nullable(),
    /** The one invoice that this card may pay; set when the first attempt begins. */
    usedByInvoiceId: p.string().nullable(),
    /** The one token made from this card. */
    usedByTokenId: p.string().nullable(),
    /** The expiry announced to the merchant, as year * 100 + month. */
    expiryAnnounced: p.integer().nullable(),
    deletedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type CardRow = InferEntity<typeof CardEntity>
