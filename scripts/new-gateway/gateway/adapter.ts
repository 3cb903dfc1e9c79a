import { type GatewayOperationType, type LookUp, notSent, type Outcome } from '../../../domain/operation.ts'
import type { Gateway, GatewayAccess } from '../../../src/gateways/gateway.ts'
import { PLACEHOLDER_CAPABILITIES } from './account.ts'
import { ask } from './http-client.ts'
import { readNotification } from './notifications.ts'
import { findingOf, outcomeOf } from './outcomes.ts'
import { authorizationOf, captureOf, incrementOf, questionOf, refundOf, voidOf, type WireRequest } from './requests.ts'

/** Where Placeholder is. */
const HOST = 'https://placeholder.invalid'

/**
 * Payments at Placeholder. See the README beside this file.
 *
 * @param options.baseUrl takes the place of Placeholder's host; for a stand-in in tests
 */
export function createPlaceholder({ baseUrl = HOST }: { baseUrl?: string } = {}): Gateway {
  const step = async (
    type: GatewayOperationType,
    { credentials, reference }: GatewayAccess & { reference: string },
    request: WireRequest | null,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    if (request === null) return { kind: 'unknown', reason: `placeholder: ${type} is not written yet` }
    const answer = await ask(baseUrl, credentials.api_key ?? '', request, reference, signal)
    if (answer.kind === 'not-sent') return notSent(answer.reason)
    if (answer.kind === 'lost') return { kind: 'unknown', reason: answer.reason }
    return outcomeOf(type, answer.status, answer.body)
  }

  return {
    name: 'placeholder',
    capabilities: PLACEHOLDER_CAPABILITIES,
    // How long its documentation says that a repeated reference is answered like the first and done once.
    referencesKeptForMs: 0,
    authorize: (request, signal) => step('authorization', request, authorizationOf(request), signal),
    capture: (request, signal) => step('capture', request, captureOf(request), signal),
    increment: (request, signal) => step('increment_authorization', request, incrementOf(request), signal),
    void: (request, signal) => step('void', request, voidOf(request), signal),
    refund: (request, signal) => step('refund', request, refundOf(request), signal),

    async lookUp(request, signal): Promise<LookUp> {
      const question = questionOf(request)
      if (question === null)
        return { kind: 'unreachable', reason: `placeholder: the look-up of ${request.type} is not written yet` }
      const answer = await ask(baseUrl, request.credentials.api_key ?? '', question, null, signal)
      return answer.kind === 'answered'
        ? findingOf(request.type, answer.status, answer.body)
        : { kind: 'unreachable', reason: answer.reason }
    },

    readNotification,
  }
}
