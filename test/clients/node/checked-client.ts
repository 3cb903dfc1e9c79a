import { Holdfast, type HoldfastOptions } from '../../../clients/node/src/index.ts'
import { interfaceDocument } from '../../../scripts/node-client/document.ts'
import { checkAnswer } from '../../support/answer-check.ts'
import type { Stack } from '../../support/stack.ts'

export interface CheckedClient {
  client: Holdfast
  /** The ids of the operations that were called. */
  called: Set<string>
}

const OPERATIONS = Object.entries(interfaceDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    operationId,
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  })),
)

/** The client against a service that runs, each of whose answers is held to the document. */
export function createCheckedClient(
  { baseUrl, project }: Pick<Stack, 'baseUrl' | 'project'>,
  options: Partial<HoldfastOptions> = {},
): CheckedClient {
  const called = new Set<string>()
  const client = new Holdfast({
    projectId: `test-${project.id}`,
    secretKey: project.secretKey,
    apiUrl: baseUrl,
    ...options,
    async fetch(input, init = {}) {
      const { pathname, search } = new URL(String(input))
      const { method = 'GET', headers } = init
      const operation = OPERATIONS.find((one) => one.method === method && one.pattern.test(pathname))
      called.add(operation?.operationId ?? `${method} ${pathname}`)
      const response = await fetch(input, init)
      const authorization = new Headers(headers).get('authorization') ?? ''
      const body: unknown = await response.clone().json()
      checkAnswer({ method, path: `${pathname}${search}`, authorization, status: response.status, body })
      return response
    },
  })
  return { client, called }
}
