import { type Answer, type GatewayModel, type Outside, STEPS } from '../../../stand-ins/engine/model.ts'
import { type StandInOptions, startStandIn } from '../../../stand-ins/engine/stand-in.ts'

/** Of a request: those of its query or of its body. */
type Fields = Record<string, unknown>

/** A notification that is not signed yet. */
type Event = object

const answerOf = (status: number, message: string): Answer => ({ status, body: { message } })

/**
 * Placeholder as far as its documentation goes, with its test cards. What is done is entered in the ledger by `enter` and told
 * of by `tell`; server, idempotency keys, faults and the control port are the engine's. Until it is written it knows no request.
 */
function modelPlaceholder(_outside: Outside<Event>) {
  return {
    name: 'Placeholder',
    account: {
      credentials: { api_key: 'planted-api-key', notification_key: 'planted-notification-key' },
      settings: {},
    },
    steps: STEPS,
    keys: {
      applies: ({ method }) => method === 'POST',
      underWay: answerOf(409, 'The first request of the key is under way.'),
      otherRequest: null,
      keepsFailures: false,
    },
    read: (text) => (text === '' ? {} : (JSON.parse(text) as Fields)),
    stepOf: () => 'test',
    refuse: () => null,
    handle: () => answerOf(501, 'The stand-in of placeholder does not know this request yet.'),
    failure: (status) => answerOf(status, 'Something has failed.'),
    posts: (events) => events.map((event) => ({ body: JSON.stringify(event), headers: {} })),
    retrySeconds: [],
    openDispute: () => undefined,
    endDispute: () => false,
    visit: () => null,
  } satisfies GatewayModel<Fields, Event>
}

export const startPlaceholderStandIn = (options: StandInOptions = {}) =>
  startStandIn<Fields, Event, ReturnType<typeof modelPlaceholder>>(modelPlaceholder, options)
