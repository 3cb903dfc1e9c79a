import { isGrpcServiceError } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import type { Config } from '../../src/config.ts'
import { temporalIsAbsent } from '../../src/processes/core.ts'
import { connectTemporal } from '../../src/temporal/connection.ts'
import { type History, UnusableHistory } from './history.ts'

/** gRPC status code, https://grpc.io/docs/guides/status-codes/ */
const NOT_FOUND = 5

export interface WantedRun {
  workflowId: string
  /** The last run where it is absent. */
  runId: string | undefined
  /** Those of both environments where it is absent. */
  namespace: string | undefined
}

/**
 * Fetches a history as Temporal keeps it, encrypted payloads and all.
 *
 * @throws UnusableHistory where no namespace has the workflow, or Temporal refuses it.
 */
export async function fetchHistory(
  { temporalAddress, temporalAccess }: Config & { temporalAddress: string },
  { workflowId, runId, namespace }: WantedRun,
): Promise<History> {
  const given = namespace === undefined ? temporalAccess.namespaces : { live: namespace, sandbox: namespace }
  const { clients, close } = await connectTemporal(temporalAddress, { ...temporalAccess, namespaces: given }).catch(
    temporalIsAbsent(temporalAddress),
  )
  try {
    for (const { workflow } of Object.values(clients)) {
      try {
        // `historyToJSON` gives a string, whatever its name and type say.
        return JSON.parse(String(historyToJSON(await workflow.getHandle(workflowId, runId).fetchHistory())))
      } catch (error) {
        if (!isGrpcServiceError(error)) throw error
        if (Number(error.code) !== NOT_FOUND)
          throw new UnusableHistory(`Temporal does not give the history of ${workflowId}: ${error.details}`)
      }
    }
  } finally {
    await close()
  }
  const where = [...new Set(Object.values(given))].join(', ')
  throw new UnusableHistory(`There is no workflow ${workflowId}${runId ? ` with the run ${runId}` : ''} in ${where}.`)
}
