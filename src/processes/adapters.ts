import type { Clock } from '../clock.ts'
import type { SandboxHosts } from '../config.ts'
import { createAdyen } from '../gateways/adyen/adapter.ts'
import type { Gateway } from '../gateways/gateway.ts'
import { createSimulator } from '../gateways/simulator/adapter.ts'
import type { Execute } from '../gateways/simulator/ledger.ts'
import { createStripeGateway } from '../gateways/stripe/adapter.ts'

/** An adapter for every gateway that is installed. `execute` reaches the simulator's ledger. */
export function createAdapters({
  execute,
  clock,
  sandboxHosts: { stripe, adyen },
}: {
  execute: Execute
  clock: Clock
  sandboxHosts: SandboxHosts
}): Gateway[] {
  return [
    createSimulator({ execute, clock }),
    createStripeGateway({ baseUrl: stripe }),
    createAdyen({ baseUrl: adyen }),
  ]
}
