import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Stack } from '../../support/stack.ts'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** What `examples/sandbox.sh` sets, for a service that a test runs. */
export function credentialsOf({ baseUrl, project }: Pick<Stack, 'baseUrl' | 'project'>): Record<string, string> {
  return { HOLDFAST: baseUrl, KEY: `test-${project.id}:${project.secretKey}` }
}

/** The programs of this machine, with the project's Node in front. */
export const PROGRAMS = {
  PATH: `${ROOT}node_modules/.bin:${process.env.PATH}`,
  HOME: process.env.HOME ?? tmpdir(),
}
