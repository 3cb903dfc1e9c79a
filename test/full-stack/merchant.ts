import { LIMIT_MAX } from '../../domain/rate-limits.ts'
import { credentialsIn } from '../journeys/launched.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { runToEnd } from '../support/processes/service.ts'

/** A project of the sandbox whose limits nobody reaches; they are asked all the same. */
export interface Merchant {
  projectId: string
  client: HttpClient
}

/**
 * Makes a project as an operator does.
 *
 * @param environment how commands reach the servers.
 */
export async function makeMerchant(
  name: string,
  baseUrl: string,
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<Merchant> {
  const admin = (...args: string[]) => runToEnd('src/admin.ts', environment, signal, ...args)
  const printed = await admin('projects', 'create', name)
  const { username, password } = credentialsIn(printed)
  const projectId = username.replace(/^test-/, '')
  await admin(
    'limits',
    'set',
    projectId,
    ...['primary', 'secondary', 'sandbox'].map((limit) => `${limit}=${LIMIT_MAX}`),
  )
  return { projectId, client: createHttpClient(baseUrl, { username, password }) }
}
