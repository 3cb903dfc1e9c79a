import clientModule from '@adyen/api-library/lib/src/client.js'
import configModule from '@adyen/api-library/lib/src/config.js'
import { ModificationsApi } from '@adyen/api-library/lib/src/services/checkout/modificationsApi.js'
import { PaymentsApi } from '@adyen/api-library/lib/src/services/checkout/paymentsApi.js'
import type { Outcome } from '../../../domain/operation.ts'
import type { GatewayAccess } from '../gateway.ts'
import { type AdyenAccount, readAccount } from './account.ts'
import { failureOutcome } from './failures.ts'
import { CallFailed, type HttpClient } from './http-client.ts'

/** A call to Adyen, ready to be made for an account. */
export interface Call {
  payments: PaymentsApi
  modifications: ModificationsApi
  account: AdyenAccount
  /** Without a key where the call moves nothing. */
  options: { idempotencyKey?: string; signal: AbortSignal }
  /** The last answer as Adyen has sent it: the library drops the fields that its models lack. */
  lastAnswer(): unknown
}

/** Makes a call. Whatever goes wrong is an outcome, which tells no more of it than its kind. */
export async function callAdyen<Result = Outcome>(
  httpClient: HttpClient,
  { credentials, settings }: GatewayAccess,
  options: Call['options'],
  ask: (call: Call) => Promise<Result>,
): Promise<Result | Outcome> {
  const account = readAccount(credentials, settings)
  if ('problem' in account)
    return { kind: 'declined', code: 'gateway.configuration-error', gatewayCode: account.problem }
  const listening = listenTo(httpClient)
  const client = new clientModule.default(configOf(account), listening.httpClient)
  try {
    return await ask({
      payments: new PaymentsApi(client),
      modifications: new ModificationsApi(client),
      account,
      options,
      lastAnswer: listening.lastAnswer,
    })
  } catch (error) {
    if (error instanceof CallFailed) return failureOutcome(error.failure)
    return { kind: 'unknown', reason: error instanceof Error ? error.name : 'unknown error' }
  }
}

function configOf({ apiKey, environment, liveEndpointUrlPrefix }: AdyenAccount) {
  return new configModule.default({
    apiKey,
    environment: configModule.EnvironmentEnum[environment],
    ...(liveEndpointUrlPrefix !== null && { liveEndpointUrlPrefix }),
    enable308Redirect: false,
  })
}

/** The same transport, which keeps the last answer. */
function listenTo(httpClient: HttpClient) {
  let body: string | undefined
  const listening: HttpClient = {
    async request(...parameters) {
      body = await httpClient.request(...parameters)
      return body
    },
  }
  return { httpClient: listening, lastAnswer: (): unknown => JSON.parse(body ?? 'null') }
}
