import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { CardChecks } from '../../../domain/operation.ts'

export type CardCategory = 'consumer' | 'commercial'

/**
 * A card given for one payment or one token. The number is ciphertext; the security code lives in a table of its own.
 * A deleted card keeps its row without number, name and address, because transactions refer to it.
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
    /** Where the card was issued; `billingCountryCode` is where its holder lives. */
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
    /** Minutes, as browsers tell it. */
    appTimezoneOffset: p.integer().nullable(),
    /** The wallet or network that stands behind a number that is no card's own, such as `applepay`. */
    tokenType: p.string().nullable(),
    tokenizationMethod: p.string().nullable(),
    /** A security code was given, whether or not it is still kept. */
    cvcTokenized: p.boolean().default(false),
    hasBeenAuthorized: p.boolean().default(false),
    /** The last change of what the card is, and who asked for it. */
    updateType: p.string().nullable(),
    updateReasonCode: p.string().nullable(),
    checks: p.json<CardChecks>().nullable(),
    metadata: p.json<Record<string, string>>(),
    /** Null on a deleted card, and where the number was erased. */
    numberCiphertext: p.blob().nullable(),
    numberKeyId: p.string().nullable(),
    /** When the number went because nobody needed it any more; the card cannot be charged since. */
    numberErasedAt: p.datetime(3).nullable(),
    /** The one invoice that this card may pay; set when the first attempt begins. */
    usedByInvoiceId: p.string().nullable(),
    /** The one token that this card became. */
    usedByTokenId: p.string().nullable(),
    /** The expiry that the merchant was told of as being near, as year * 100 + month. */
    expiryAnnounced: p.integer().nullable(),
    deletedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type CardRow = InferEntity<typeof CardEntity>
