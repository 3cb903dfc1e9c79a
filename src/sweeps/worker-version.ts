import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../logger.ts'
import type { Shutdown } from '../shutdown.ts'
import {
  type Deployments,
  isRefused,
  type Rollout,
  readDeployment,
  setCurrentVersion,
  type WorkerDeployment,
} from '../temporal/worker-versions.ts'
import type { Waits } from '../waits.ts'
import type { Outages } from './outages.ts'
import { startSweep } from './sweep.ts'

const INTERVAL_MS = 10_000

/** Temporal knows a version as soon as its workers ask for work, a moment after they were started. */
const FIRST_LOOKS_MS = 250
const FIRST_LOOKS_MAX = 120

export interface OwnVersion {
  buildId: string
  rollout: Rollout
}

interface VersionDeps {
  /** For each environment. */
  deployments: readonly Deployments[]
  own: OwnVersion
  waits: Pick<Waits, 'takeoverMs'>
  logger: Logger
  outages: Outages
}

/**
 * Keeps an eye on who gets workflow tasks, as long as the process runs. The workers of a version make it the current one where
 * nobody else does the work, and, with an automatic rollout, where nobody has decided about it yet. So neither a first start
 * nor a later one needs a command; and a version that was taken back stays so while its workers still run.
 *
 * Resolves when it is known who gets them.
 */
export async function keepWorkerVersion(deps: VersionDeps, shutdown: Shutdown): Promise<void> {
  const { deployments, own, logger, outages } = deps
  const keepers = deployments.map((one) => createVersionKeeper(one, deps))
  const lookAll = async () => (await Promise.all(keepers.map((look) => look()))).every(Boolean)
  for (let looks = 1; !(await lookAll()); looks += 1) {
    if (looks === FIRST_LOOKS_MAX) {
      logger.warn(
        { build_id: own.buildId },
        'These workers have no work yet: Temporal does not know their version, or refuses it as the current one',
      )
      break
    }
    await sleep(FIRST_LOOKS_MS)
    shutdown.signal.throwIfAborted()
  }
  startSweep(
    { name: 'The look at the versions of the workers', intervalMs: INTERVAL_MS, run: lookAll },
    outages,
    shutdown,
  )
}

/**
 * Looks at the versions of one environment.
 *
 * @returns false where Temporal does not know our own version yet.
 */
export type VersionKeeper = () => Promise<boolean>

export function createVersionKeeper(
  deployments: Deployments,
  { own: { buildId, rollout }, waits, logger }: Omit<VersionDeps, 'deployments' | 'outages'>,
): VersionKeeper {
  let idle: { buildId: string; since: number } | null = null
  let seenCurrent: string | null = null

  /** Whether nobody has asked for the work of the current version for a while. */
  function isAbandoned({ currentBuildId, polling }: WorkerDeployment): boolean {
    if (polling.has(currentBuildId)) idle = null
    else if (idle?.buildId !== currentBuildId) idle = { buildId: currentBuildId, since: performance.now() }
    return idle !== null && performance.now() - idle.since >= waits.takeoverMs
  }

  return async () => {
    const about = { build_id: buildId, namespace: deployments.namespace }
    const deployment = await readDeployment(deployments)
    const known = deployment?.versions.find((version) => version.buildId === buildId)
    if (deployment === null || known === undefined) return false
    const { currentBuildId, conflictToken } = deployment
    if (currentBuildId === buildId) {
      if (seenCurrent !== buildId) logger.info(about, 'These workers have the current version')
      seenCurrent = buildId
      return true
    }
    const isUndecided = rollout === 'automatic' && !known.wasActivated
    if (isUndecided || isAbandoned(deployment)) {
      try {
        await setCurrentVersion(deployments, buildId, conflictToken)
      } catch (error) {
        if (!isRefused(error)) throw error
        return false
      }
      logger.info({ ...about, before: currentBuildId }, 'These workers have the current version now')
      seenCurrent = buildId
      return true
    }
    if (seenCurrent !== currentBuildId)
      logger.info({ ...about, current: currentBuildId }, 'Another version of the workers is the current one')
    seenCurrent = currentBuildId
    return true
  }
}
