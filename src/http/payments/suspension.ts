import type { Command } from '../../../domain/command.ts'
import { movesMoney } from '../../../domain/suspension.ts'
import { ApiError } from '../api-error.ts'
import { type ApiContext, callerOf } from '../context.ts'

/**
 * Refuses what would move money of a suspended project, before anything of it begins. The payment asks again when the
 * command's turn has come: see `domain/suspension.ts`.
 *
 * @throws ApiError 403.
 */
export function refuseWhileSuspended(ctx: ApiContext, command: Pick<Command, 'kind'>): void {
  if (callerOf(ctx).isSuspended && movesMoney(command)) throw new ApiError('request.project-suspended')
}
