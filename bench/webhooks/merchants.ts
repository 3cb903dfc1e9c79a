import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import type { Scope } from '../../src/persistence/queries/scope.ts'
import type { Core } from '../../src/processes/core.ts'
import type { Service } from '../stage/service.ts'

/** A whole Holdfast, and where it is asked. */
export type Served = Core & Pick<Service, 'baseUrl'>

/** A project with one endpoint that takes all its events. */
export interface Merchant {
  scope: Scope
  /** Where its webhooks go, to tell them from those of others. */
  path: string
  /** Adds its endpoint, on a server that receives for it. */
  enable(host: string): Promise<void>
  /** Deletes its endpoint, so that nothing more is sent. */
  disable(): Promise<void>
}

/**
 * Makes a merchant, whose endpoint is made through the interface and so has a secret that everything is signed with.
 */
export async function createMerchant(service: Served, number: number): Promise<Merchant> {
  const { orm, vault, randomBytes, clock, baseUrl } = service
  const { projectId, secretKey } = await createProject(orm.em.fork(), {
    name: `Merchant ${number}`,
    sandbox: true,
    randomBytes,
    hashSecret: vault.hashSecret,
    now: clock.now(),
  })
  const path = `/webhooks/${number}`
  const headers = {
    authorization: `Basic ${Buffer.from(`test-${projectId}:${secretKey}`).toString('base64')}`,
    'content-type': 'application/json',
  }
  const ask = async (method: string, target: string, body?: object) => {
    const response = await fetch(`${baseUrl}/webhook-endpoints${target}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { webhook_endpoint?: { id: string } }
    if (response.status !== 200) throw new Error(`${method} was answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }
  let endpointId: string | undefined
  return {
    scope: { projectId, sandbox: true },
    path,
    async enable(host) {
      endpointId = (await ask('POST', '', { url: `${host}${path}` })).webhook_endpoint?.id
    },
    async disable() {
      await ask('DELETE', `/${endpointId}`)
    },
  }
}
