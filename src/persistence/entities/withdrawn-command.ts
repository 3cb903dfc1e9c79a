import { defineEntity, p } from '@mikro-orm/postgresql'

/** A command withdrawn before it began, when its caller stopped waiting. The caller's answer says that it never begins. */
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
