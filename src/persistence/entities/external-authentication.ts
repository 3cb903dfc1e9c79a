import { defineEntity, p } from '@mikro-orm/postgresql'

/** An authentication that the merchant made elsewhere, between its request and the outcome; an hour at most. */
export const ExternalAuthenticationEntity = defineEntity({
  name: 'ExternalAuthentication',
  tableName: 'external_authentication',
  properties: {
    /** The command that brought it. */
    operationId: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    ciphertext: p.blob(),
    keyId: p.string(),
    expiresAt: p.datetime(3),
  },
})
