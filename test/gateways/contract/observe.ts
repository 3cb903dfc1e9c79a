import type { Gateway } from '../../../src/gateways/gateway.ts'

/** The same gateway, of which everything that it says is kept as text, an error that it throws included. */
export function observe(gateway: Gateway, heard: string[]): Gateway {
  const keeping =
    <Parameters extends unknown[], Answer>(ask: (...parameters: Parameters) => Promise<Answer>) =>
    async (...parameters: Parameters): Promise<Answer> => {
      try {
        const answer = await ask(...parameters)
        heard.push(JSON.stringify(answer))
        return answer
      } catch (error) {
        heard.push(error instanceof Error ? `${error.stack} ${JSON.stringify(error)}` : String(error))
        throw error
      }
    }
  const {
    readNotification,
    continueAuthorization,
    endAuthentication,
    listSettlements,
    listOperations,
    testConnection,
  } = gateway
  return {
    ...gateway,
    authorize: keeping(gateway.authorize),
    ...(continueAuthorization !== undefined && { continueAuthorization: keeping(continueAuthorization) }),
    ...(endAuthentication !== undefined && { endAuthentication: keeping(endAuthentication) }),
    ...(listSettlements !== undefined && { listSettlements: keeping(listSettlements) }),
    ...(listOperations !== undefined && { listOperations: keeping(listOperations) }),
    ...(testConnection !== undefined && { testConnection: keeping(testConnection) }),
    capture: keeping(gateway.capture),
    increment: keeping(gateway.increment),
    void: keeping(gateway.void),
    refund: keeping(gateway.refund),
    lookUp: keeping(gateway.lookUp),
    ...(readNotification !== undefined && {
      readNotification: (...parameters: Parameters<typeof readNotification>) => {
        const reading = readNotification(...parameters)
        heard.push(JSON.stringify(reading))
        return reading
      },
    }),
  }
}
