import type { InstalledGateway } from './account.ts'
import { ADYEN } from './adyen/account.ts'
import { SIMULATOR } from './simulator/account.ts'
import { STRIPE } from './stripe/account.ts'

/** Every gateway of this installation, without its adapter; `src/processes` makes the adapters. */
export const GATEWAYS: readonly InstalledGateway[] = [SIMULATOR, STRIPE, ADYEN]

/** Undefined for a name that no adapter has. */
export function installedGateway(name: string): InstalledGateway | undefined {
  return GATEWAYS.find((gateway) => gateway.name === name)
}
