import { z } from 'zod'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { errorDescription, readiness, versions } from '../../objects/api-request.ts'
import { list } from '../../objects/shown.ts'
import { ok } from '../answers.ts'
import { shown } from '../examples/shown.ts'
import { API_VERSION, describeErrors, listErrorCodes, live, ready, versions as showVersions } from './service.ts'

const NEEDS_NO_KEY = 'Needs no key.'

export const SERVICE: readonly Endpoint[] = [
  endpoint('GET /', {
    id: 'listVersions',
    method: 'service.versions',
    tag: 'Service',
    summary: 'List the versions of the interface',
    access: 'limited by address',
    description: NEEDS_NO_KEY,
    says: 'The versions.',
    answers: ok(versions),
    examples: () =>
      shown({
        name: 'holdfast',
        current_version: API_VERSION,
        latest_version: API_VERSION,
        versions: [API_VERSION],
      }),
    run: showVersions,
  }),
  endpoint('GET /error-codes', {
    id: 'listErrorCodes',
    method: 'service.errorCodes',
    tag: 'Service',
    summary: 'List the error codes',
    access: 'limited by address',
    description: NEEDS_NO_KEY,
    says: 'Every code with its meaning.',
    answers: ok({ error_codes: list(errorDescription, 'Every code.') }),
    examples: () => shown({ error_codes: describeErrors() }),
    run: listErrorCodes,
  }),
  endpoint('GET /health/live', {
    id: 'checkLiveness',
    method: 'service.checkLiveness',
    tag: 'Service',
    summary: 'Whether the process answers',
    access: 'anyone',
    description: NEEDS_NO_KEY,
    says: 'The process answers.',
    answers: ok({}),
    examples: () => shown({}),
    run: live,
  }),
  endpoint('GET /health/ready', {
    id: 'checkReadiness',
    method: 'service.checkReadiness',
    tag: 'Service',
    summary: 'Whether the service can work',
    access: 'anyone',
    description: `${NEEDS_NO_KEY} A process that is about to end answers 503 while it still serves.`,
    says: 'Database and Temporal answer.',
    answers: {
      ...ok(readiness),
      503: z.strictObject({ success: z.literal(false).describe('Always false.'), ...readiness }),
    },
    examples: () => ({
      ...shown({ database: true, temporal: true }),
      503: { example: { success: false, database: true, temporal: false } },
    }),
    run: ready,
  }),
]
