import { OperationEntity } from '../entities/operation.ts'
import type { EntityManager } from '../orm.ts'
import type { Scope } from './scope.ts'

/**
 * True where the attempt of a command is written. It is committed before the gateway is called, so without it
 * nothing has left the house.
 */
export async function hasBegun(em: EntityManager, scope: Scope, operationId: string): Promise<boolean> {
  return (await em.count(OperationEntity, { ...scope, id: operationId })) > 0
}
