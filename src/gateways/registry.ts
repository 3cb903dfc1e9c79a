import { withCleanTexts } from './clean-texts.ts'
import type { Gateway } from './gateway.ts'

/** The gateways of this installation by name. The texts of their answers are storable. */
export interface GatewayRegistry {
  /** Throws for an unknown name: a row then refers to an adapter that this version lacks. */
  find(name: string): Gateway
  has(name: string): boolean
}

export function createGatewayRegistry(gateways: readonly Gateway[]): GatewayRegistry {
  const byName = new Map(gateways.map((gateway) => [gateway.name, withCleanTexts(gateway)]))
  return {
    find(name) {
      const gateway = byName.get(name)
      if (gateway === undefined) throw new Error(`No adapter is installed for the gateway "${name}".`)
      return gateway
    },
    has: (name) => byName.has(name),
  }
}
