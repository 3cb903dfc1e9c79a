import type { ClientFailureLimits } from '../../../../domain/client-failures.ts'
import type { NetworkLimits } from '../../../../domain/network-limits.ts'
import { ProjectEntity, type ProjectRow } from '../../entities/project.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'
import { lockProject } from './find-project.ts'

/** What an operator can choose for a project. */
export type ProjectOption =
  | 'acceptsPartialApprovals'
  | 'allowsClientCaptures'
  | 'allowsClientOverrides'
  | 'allowsClientAmounts'
  | 'defaultCurrency'
  | 'blocksStoppedPayments'
  | 'enforcesRetryAfter'
  | 'enforcesNetworkLimits'
  | keyof NetworkLimits
  | keyof ClientFailureLimits

export interface OptionChange {
  projectId: string
  option: ProjectOption
  value: boolean | string | number
  actor: string
}

/**
 * Changes one option of a project, in the caller's database transaction; it holds from the next payment on.
 *
 * @returns false where there is no such project.
 */
export async function setProjectOption(
  em: EntityManager,
  { projectId, option, value, actor }: OptionChange,
): Promise<boolean> {
  const project = await lockProject(em, projectId)
  if (project === null) return false
  if (project[option] === value) return true
  await em.nativeUpdate(ProjectEntity, { id: projectId }, { [option]: value } as Partial<ProjectRow>)
  const facts = { option, from: project[option], to: value }
  await recordAct(em, { projectId, sandbox: null, kind: 'project.option-changed', actor, facts })
  return true
}
