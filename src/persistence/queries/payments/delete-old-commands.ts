import { CommandNoteEntity } from '../../entities/command-note.ts'
import { WithdrawnCommandEntity } from '../../entities/withdrawn-command.ts'
import type { EntityManager } from '../../orm.ts'

/** A command begins within a minute or never; a day leaves every clock its error. */
const KEPT_MS = 24 * 60 * 60 * 1000

/**
 * Deletes what was kept for commands that can begin no more: the notes of those that were refused, and the marks on those
 * that were withdrawn.
 *
 * @returns how many rows there were.
 */
export async function deleteOldCommands(em: EntityManager, now: Date): Promise<number> {
  const old = { createdAt: { $lt: new Date(now.getTime() - KEPT_MS) } }
  return (await em.nativeDelete(CommandNoteEntity, old)) + (await em.nativeDelete(WithdrawnCommandEntity, old))
}
