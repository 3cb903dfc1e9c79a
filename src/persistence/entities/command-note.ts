import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** What a merchant wrote with a command and a workflow history must not hold. */
export interface CommandNote {
  information: string | null
  metadata: Record<string, string>
}

/** Written before its command is sent, read with its attempt. */
export const CommandNoteEntity = defineEntity({
  name: 'CommandNote',
  tableName: 'command_note',
  properties: {
    operationId: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    content: p.json<CommandNote>(),
    createdAt: p.datetime(3),
  },
})

export type CommandNoteRow = InferEntity<typeof CommandNoteEntity>
