import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** A command that had not begun when its caller stopped waiting. It must never begin: the caller was told so. */
export const WithdrawnCommandEntity = defineEntity({
  name: 'WithdrawnCommand',
  tableName: 'withdrawn_command',
  properties: {
    operationId: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    invoiceId: p.string(),
    createdAt: p.datetime(3),
  },
})

export type WithdrawnCommandRow = InferEntity<typeof WithdrawnCommandEntity>
