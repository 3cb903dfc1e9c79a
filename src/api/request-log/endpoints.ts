import { endpoint, section } from '../../http/endpoint.ts'
import { showsOnly } from '../answers.ts'
import { lists } from '../usual-endpoints.ts'
import { retrieveApiRequest } from './api-requests.ts'

export const REQUEST_LOG = section({ tag: 'Request log', says: 'What you have asked, and what came of it.' }, [
  lists('GET /api-requests', 'api_request', {
    summary: 'List requests of the log',
    notes: 'They are kept for 30 days, and are listed without their bodies.',
  }),
  endpoint('GET /api-requests/:id', {
    id: 'retrieveApiRequest',
    method: 'apiRequests.retrieve',
    summary: 'Retrieve a logged request',
    access: { permission: 'read' },
    description:
      'By its own id or by the `X-Request-Id` of its answer: of several with the same, the latest. It can be read within seconds of its answer, and for 30 days.',
    answers: showsOnly('api_request', 'What was asked and answered.'),
    run: retrieveApiRequest,
  }),
])
