import { defineEntity, p } from '@mikro-orm/postgresql'

/** A merchant's texts for a command, which workflow histories must not contain. */
export interface CommandNote {
  information: string | null
  metadata: Record<string, string>
}

/** Written before its command is sent, and read with its attempt. */
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
