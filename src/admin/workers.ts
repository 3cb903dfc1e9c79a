import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts'
import { UsageError } from '../processes/command-line.ts'
import { StartupError } from '../startup-error.ts'
import type { Deployments, WorkerDeployment } from '../temporal/worker-versions.ts'
import { defineCommand } from './command.ts'
import { readAdminConfig } from './configuration.ts'
import { formatInstant, formatTable } from './table.ts'

/** What `src/temporal/worker-versions.ts` calls by the name that Temporal gives it. */
const UNVERSIONED = 'unversioned'

const ENVIRONMENT_OPTIONS = [['--environment <live|sandbox>', 'only there']] as const

interface Place {
  environment: Environment
  deployments: Deployments
  /** Null where no worker with a version has ever asked for work. */
  deployment: WorkerDeployment | null
}

type Versions = typeof import('../temporal/worker-versions.ts')

export const listWorkersCommand = defineCommand({
  name: 'workers list',
  summary: 'Lists the versions of the workers in both environments: which one gets work, and which have workers.',
  run: (_, { say, actor }) =>
    inPlaces({ actor, environment: undefined }, async (places, versions) => {
      const rows = places.flatMap(({ environment, deployment }) =>
        deployment === null ? [] : rowsOf(deployment, versions).map((row) => [environment, ...row]),
      )
      if (rows.length === 0) say('No worker with a version has asked for work yet.')
      else say(formatTable(['ENVIRONMENT', 'BUILD ID', 'GETS', 'HAS WORKERS', 'FIRST SEEN'], rows))
    }),
})

export const setCurrentWorkersCommand = defineCommand<{ environment?: string }>({
  name: 'workers set-current',
  operands: '[BUILD_ID]',
  summary:
    'Gives all work to one version of the workers, and ends what was ramping; of this code where no BUILD_ID is given.',
  details:
    'Also the way back to an earlier version whose workers run. "unversioned" are the workers of a release without versions.\n' +
    'Running payments and webhooks continue with it from their next step.',
  options: ENVIRONMENT_OPTIONS,
  run: ([given], { say, values, actor }) =>
    inPlaces({ actor, environment: values.environment }, async (places, versions) => {
      const { readBuildId } = await import('../temporal/build-id.ts')
      const buildId = given ?? (await readBuildId())
      const name = nameIn(versions, buildId)
      for (const place of places) requireWorkers(place, name, buildId)
      for (const { environment, deployments } of places) {
        await orRefused(environment, versions, () => versions.setCurrentVersion(deployments, name))
        say(`${environment}: ${buildId} gets all work.`)
      }
    }),
})

export const rampWorkersCommand = defineCommand<{ environment?: string }>({
  name: 'workers ramp',
  operands: '<BUILD_ID> <PERCENTAGE>',
  summary: 'Gives a share of the payments and webhooks to a version of the workers; 0 takes it back.',
  details:
    'Which payments, follows from their ids, so that one stays with its version while the share grows. Workers of a new version\n' +
    'wait for this only with WORKER_ROLLOUT=manual; otherwise they take all work by themselves.',
  options: ENVIRONMENT_OPTIONS,
  run: ([buildId = '', share = ''], { say, values, actor }) =>
    inPlaces({ actor, environment: values.environment }, async (places, versions) => {
      const percentage = Number(share.replace(/%$/, ''))
      if (share === '' || !(percentage >= 0 && percentage <= 100)) throw new UsageError('PERCENTAGE is from 0 to 100.')
      const name = nameIn(versions, buildId)
      for (const place of places) {
        requireWorkers(place, name, buildId)
        if (place.deployment?.currentBuildId === name)
          throw new StartupError(`${buildId} gets all work in ${place.environment} already.`)
      }
      for (const { environment, deployments } of places) {
        await orRefused(environment, versions, () => versions.rampVersion(deployments, { buildId: name, percentage }))
        say(`${environment}: ${buildId} gets ${percentage} %.`)
      }
    }),
})

/** Temporal's client takes longer to load than most commands take, so it is loaded here. */
async function inPlaces(
  { actor, environment }: { actor: string; environment: string | undefined },
  work: (places: Place[], versions: Versions) => Promise<void>,
): Promise<void> {
  const chosen = ENVIRONMENTS.filter((one) => environment === undefined || one === environment)
  if (chosen.length === 0) throw new UsageError('The environment is live or sandbox.')
  const { temporalAddress, temporalAccess } = readAdminConfig({ servers: ['temporalAddress'], keys: false })
  const [{ connectTemporal }, { temporalIsAbsent }, { TASK_QUEUES: taskQueues }, versions] = await Promise.all([
    import('../temporal/connection.ts'),
    import('../processes/core.ts'),
    import('../temporal/task-queues.ts'),
    import('../temporal/worker-versions.ts'),
  ])
  const connecting = connectTemporal(temporalAddress, temporalAccess)
  const temporal = await connecting.catch(temporalIsAbsent(temporalAddress))
  try {
    const { workflowService: service } = temporal.connection
    const places = chosen.map(async (one) => {
      const deployments = { service, namespace: temporalAccess.namespaces[one], taskQueues, identity: actor }
      return { environment: one, deployments, deployment: await versions.readDeployment(deployments) }
    })
    await work(await Promise.all(places), versions)
  } finally {
    await temporal.close()
  }
}

function rowsOf({ currentBuildId, ramping, versions, polling }: WorkerDeployment, names: Versions): string[][] {
  const known = versions.map(({ buildId, firstSeenAt }) => ({ buildId, firstSeenAt: new Date(firstSeenAt) }))
  const others = [currentBuildId, ramping?.buildId, ...polling].includes(names.UNVERSIONED)
    ? [{ buildId: names.UNVERSIONED, firstSeenAt: null }]
    : []
  const rampShare = ramping?.percentage ?? 0
  const gets = (buildId: string) => {
    if (buildId === currentBuildId) return `${100 - rampShare} %, current`
    return buildId === ramping?.buildId ? `${rampShare} %, ramping` : '-'
  }
  return [...known, ...others].map(({ buildId, firstSeenAt }) => [
    buildId === names.UNVERSIONED ? UNVERSIONED : buildId,
    gets(buildId),
    polling.has(buildId) ? 'yes' : 'no',
    formatInstant(firstSeenAt),
  ])
}

function nameIn(versions: Versions, buildId: string): string {
  return buildId === UNVERSIONED ? versions.UNVERSIONED : buildId
}

/** Work that nobody asks for would wait. */
function requireWorkers({ environment, deployment }: Place, name: string, buildId: string): void {
  if (deployment?.polling.has(name) !== true)
    throw new StartupError(
      `No worker of ${buildId} asks for work in ${environment}. Start one first; workers list shows which there are.`,
    )
}

async function orRefused(environment: Environment, versions: Versions, change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (versions.isRefused(error))
      throw new StartupError(`Temporal refuses it in ${environment}: ${(error as Error).message}`, { cause: error })
    throw error
  }
}
