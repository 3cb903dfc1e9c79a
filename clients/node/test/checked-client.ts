import { checkAnswer } from '../../../test/support/answer-check.ts'
import type { Stack } from '../../../test/support/stack.ts'
import { Holdfast } from '../src/index.ts'

/** The client against a service that runs, each of whose answers is held to the document. */
export function createCheckedClient({ baseUrl, project }: Pick<Stack, 'baseUrl' | 'project'>): Holdfast {
  return new Holdfast({
    projectId: `test-${project.id}`,
    secretKey: project.secretKey,
    apiUrl: baseUrl,
    async fetch(input, init = {}) {
      const { pathname, search } = new URL(String(input))
      const { method = 'GET', headers } = init
      const response = await fetch(input, init)
      const authorization = new Headers(headers).get('authorization') ?? ''
      const body: unknown = await response.clone().json()
      checkAnswer({ method, path: `${pathname}${search}`, authorization, status: response.status, body })
      return response
    },
  })
}
