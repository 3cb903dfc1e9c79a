import { setTimeout as sleep } from 'node:timers/promises'
import { isGrpcServiceError, type WorkflowService } from '@temporalio/client'
import { tsToMs } from '@temporalio/common'
import type { TaskQueues } from './task-queues.ts'

/** The name under which Temporal keeps the versions of our workers, in each namespace. */
export const DEPLOYMENT_NAME = 'holdfast'

/** How Temporal's tools call the workers without a version. */
export const UNVERSIONED = '__unversioned__'

/** gRPC status codes, https://grpc.io/docs/guides/status-codes/ */
const NOT_FOUND = 5
const FAILED_PRECONDITION = 9

/**
 * `temporal.api.enums.v1.TaskQueueType`. Of workflow tasks a worker asks for most on a queue of its own, and seldom at the
 * partition of the common one that tells of its pollers.
 */
const ACTIVITIES = 2

/** Each of the polls of a worker ends within a minute and is made again; Temporal remembers those of a killed one for five. */
const POLLED_WITHIN_MS = 70_000

/** `temporal.api.enums.v1.RoutingConfigUpdateState`. */
const SPREADING = 1

/** The task queues of a cluster learn a change within a second. */
const SPREAD_MAX_MS = 10_000
const SPREAD_POLL_MS = 100

export interface WorkerVersion {
  buildId: string
  /** Epoch ms. */
  firstSeenAt: number
  /** It has been the current or the ramping version, now or before. */
  wasActivated: boolean
}

/** Who gets workflow tasks in one namespace. */
export interface WorkerDeployment {
  /** Gets all tasks, but for the share of the ramping one. Workers without a version where none was ever chosen. */
  currentBuildId: string
  /** Gets a share of the workflows, by their ids. */
  ramping: { buildId: string; percentage: number } | null
  /** The newest first. */
  versions: WorkerVersion[]
  /** Those whose workers ask for payments. */
  polling: ReadonlySet<string>
  /** Of the last change: a change that names it fails where another one was faster. */
  conflictToken: Uint8Array
}

/** Where versions are looked up and chosen. */
export interface Deployments {
  service: WorkflowService
  namespace: string
  taskQueues: TaskQueues
  /** Who changes it, for the Temporal UI. */
  identity: string
}

/** Null where no worker with a version has ever asked for work. */
export async function readDeployment(deployments: Deployments): Promise<WorkerDeployment | null> {
  const { service, namespace, taskQueues } = deployments
  const request = { namespace, deploymentName: DEPLOYMENT_NAME }
  const described = await service.describeWorkerDeployment(request).catch((error: unknown) => {
    if (codeOf(error) === NOT_FOUND) return null
    throw error
  })
  if (described === null) return null
  const { pollers } = await service.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueues.payments },
    taskQueueType: ACTIVITIES,
  })
  const { routingConfig, versionSummaries } = described.workerDeploymentInfo ?? {}
  const { rampingVersionPercentage, rampingDeploymentVersion } = routingConfig ?? {}
  const percentage = rampingVersionPercentage ?? 0
  return {
    currentBuildId: routingConfig?.currentDeploymentVersion?.buildId ?? UNVERSIONED,
    ramping: percentage > 0 ? { buildId: rampingDeploymentVersion?.buildId ?? UNVERSIONED, percentage } : null,
    versions: (versionSummaries ?? [])
      .map(({ deploymentVersion, createTime, firstActivationTime }) => ({
        buildId: deploymentVersion?.buildId ?? UNVERSIONED,
        firstSeenAt: createTime == null ? 0 : tsToMs(createTime),
        wasActivated: firstActivationTime != null,
      }))
      .toSorted((one, other) => other.firstSeenAt - one.firstSeenAt),
    polling: buildIdsOf(pollers),
    conflictToken: described.conflictToken,
  }
}

type Pollers = Awaited<ReturnType<WorkflowService['describeTaskQueue']>>['pollers']

/** Of those that have polled lately. The newest poll tells Temporal's time, from which ours may differ. */
function buildIdsOf(pollers: Pollers): Set<string> {
  const polls = pollers.map(({ lastAccessTime, deploymentOptions }) => ({
    at: lastAccessTime == null ? 0 : tsToMs(lastAccessTime),
    buildId: deploymentOptions?.buildId || UNVERSIONED,
  }))
  const newest = Math.max(...polls.map(({ at }) => at))
  return new Set(polls.filter(({ at }) => newest - at <= POLLED_WITHIN_MS).map(({ buildId }) => buildId))
}

/**
 * Makes a version the current one, and ends what was ramping. Resolves when the task queues know it, after some seconds at
 * most. Payments and webhooks under way go on with it from their next
 * workflow task on.
 *
 * @throws what `isRefused` knows where its workers do not ask for all that those of the current one ask for, or somebody else
 *   has changed the versions since `conflictToken`.
 */
export async function setCurrentVersion(
  { service, namespace, identity }: Deployments,
  buildId: string,
  conflictToken?: Uint8Array,
): Promise<void> {
  await service.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName: DEPLOYMENT_NAME,
    buildId: nameOf(buildId),
    identity,
    ...(conflictToken && { conflictToken }),
  })
  const deadline = performance.now() + SPREAD_MAX_MS
  while ((await isSpreading(service, namespace)) && performance.now() < deadline) await sleep(SPREAD_POLL_MS)
}

/** Whether some task queue does not know the last change yet. */
async function isSpreading(service: WorkflowService, namespace: string): Promise<boolean> {
  const described = await service.describeWorkerDeployment({ namespace, deploymentName: DEPLOYMENT_NAME })
  return described.workerDeploymentInfo?.routingConfigUpdateState === SPREADING
}

/**
 * Gives a version a share of the workflows, by their ids; 0 % takes it back.
 *
 * @throws as `setCurrentVersion`.
 */
export async function rampVersion(
  { service, namespace, identity }: Deployments,
  { buildId, percentage }: { buildId: string; percentage: number },
): Promise<void> {
  await service.setWorkerDeploymentRampingVersion({
    namespace,
    deploymentName: DEPLOYMENT_NAME,
    buildId: percentage === 0 ? '' : nameOf(buildId),
    percentage,
    identity,
  })
}

/** Temporal takes no name for no version. */
function nameOf(buildId: string): string {
  return buildId === UNVERSIONED ? '' : buildId
}

/** True for a change that Temporal has refused. */
export function isRefused(error: unknown): boolean {
  return codeOf(error) === FAILED_PRECONDITION || codeOf(error) === NOT_FOUND
}

function codeOf(error: unknown): number | null {
  return isGrpcServiceError(error) ? Number(error.code) : null
}

/** How a new version of the workers gets tasks: by itself, or when an operator says so. */
export type Rollout = 'automatic' | 'manual'
