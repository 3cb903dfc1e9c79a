import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** A security code between `POST /cards` and its authorization; deleted with the outcome, or after an hour. */
export const CardSecurityCodeEntity = defineEntity({
  name: 'CardSecurityCode',
  tableName: 'card_security_code',
  properties: {
    cardId: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    ciphertext: p.blob(),
    keyId: p.string(),
    expiresAt: p.datetime(3),
  },
})

export type CardSecurityCodeRow = InferEntity<typeof CardSecurityCodeEntity>
