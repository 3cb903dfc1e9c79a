import { z } from 'zod'
import { endpoint, section } from '../../http/endpoint.ts'
import { categorizedCodes, errorDescription, readiness, versions } from '../../objects/api-request.ts'
import { list } from '../../objects/shown.ts'
import { body, ok, success } from '../answers.ts'
import { ERROR_CODES, listErrorCodes, live, ready, showVersions, VERSIONS } from './service.ts'

const NEEDS_NO_KEY = 'Needs no key.'

export const SERVICE = section({ tag: 'Service', says: 'The interface itself. Needs no key.' }, [
  endpoint('GET /', {
    id: 'listVersions',
    method: 'service.versions',
    summary: 'List the versions of the interface',
    access: 'limited by address',
    description: NEEDS_NO_KEY,
    answers: ok('The versions.', versions, VERSIONS),
    run: showVersions,
  }),
  endpoint('GET /error-codes', {
    id: 'listErrorCodes',
    method: 'service.errorCodes',
    summary: 'List the error codes',
    access: 'limited by address',
    description: NEEDS_NO_KEY,
    answers: ok(
      'Every code with its meaning.',
      {
        error_codes: list(errorDescription, 'Every code.'),
        gateway: categorizedCodes.describe('The codes alone, as client libraries read them.'),
      },
      ERROR_CODES,
    ),
    run: listErrorCodes,
  }),
  endpoint('GET /health/live', {
    id: 'checkLiveness',
    method: 'service.checkLiveness',
    summary: 'Whether the process answers',
    access: 'anyone',
    description: NEEDS_NO_KEY,
    answers: success('The process answers.'),
    run: live,
  }),
  endpoint('GET /health/ready', {
    id: 'checkReadiness',
    method: 'service.checkReadiness',
    summary: 'Whether the service can work',
    access: 'anyone',
    description: `${NEEDS_NO_KEY} A process that is about to end answers 503 while it still serves.`,
    answers: {
      says: 'Database and Temporal answer.',
      bodies: {
        ...ok('', readiness, {}).bodies,
        503: z.strictObject({ success: z.literal(false).describe('Always false.'), ...readiness }),
      },
      examples: {
        200: { example: body({ database: true, temporal: true }) },
        503: { example: { success: false, database: true, temporal: false } },
      },
    },
    run: ready,
  }),
])
