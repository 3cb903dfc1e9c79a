import type { ProblemContext } from '../../../domain/routing/problems.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findProject } from '../../persistence/queries/projects/find-project.ts'
import { findRoutableGateways } from '../../persistence/queries/routing/routable-gateways.ts'
import type { Scope } from '../../persistence/queries/scope.ts'

/** What rules of this project are checked against. */
export async function problemContextOf(
  em: EntityManager,
  scope: Scope,
): Promise<ProblemContext & { gatewayConfigurationIds: string[] }> {
  const project = await findProject(em, scope.projectId)
  if (project === null) throw new Error('A caller has a project.')
  const gateways = await findRoutableGateways(em, scope)
  return { defaultCurrency: project.defaultCurrency, gatewayConfigurationIds: gateways.map(({ id }) => id) }
}
