import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { listEndpoint } from '../../http/lists/list-endpoint.ts'
import { apiRequest } from '../../objects/api-request.ts'
import { ok } from '../answers.ts'
import * as example from '../examples/index.ts'
import { shown } from '../examples/shown.ts'
import { retrieveApiRequest } from './api-requests.ts'

export const REQUEST_LOG: readonly Endpoint[] = [
  listEndpoint('GET /api-requests', {
    id: 'listApiRequests',
    method: 'apiRequests.list',
    tag: 'Request log',
    summary: 'List requests of the log',
    list: 'api_requests',
    resource: 'api_request',
    notes: 'They are kept for 30 days, and are listed without their bodies.',
    shows: 'ListedApiRequest',
    example: () => example.listedApiRequest,
  }),
  endpoint('GET /api-requests/:id', {
    id: 'retrieveApiRequest',
    method: 'apiRequests.retrieve',
    tag: 'Request log',
    summary: 'Retrieve a logged request',
    access: { permission: 'read' },
    description:
      'By its own id or by the `X-Request-Id` of its answer: of several with the same, the latest. It can be read within seconds of its answer, and for 30 days.',
    says: 'What was asked and answered.',
    answers: ok({ api_request: apiRequest }),
    examples: () => shown({ api_request: example.apiRequest }),
    run: retrieveApiRequest,
  }),
]
