import { randomInt } from 'node:crypto'
import { isPortFree } from '../../src/embedded/ports.ts'
import type { Bench } from './bench.ts'
import { createMerchant, type Merchant } from './merchants.ts'

/** Ten merchants, of whom a fifth have dead endpoints: one that refuses connections and one that never answers. */
export const HEALTHY_COUNT = 8
export const SILENT_COUNT = 1

/** Below the ports that a system gives out by itself (Linux: from 32768 on), so that nobody else is given this one. */
const UNUSED_PORTS = { from: 20_000, to: 32_000 }

export interface Population {
  healthy: readonly [Merchant, ...Merchant[]]
  /** Their endpoints are not there yet. */
  dead: readonly Merchant[]
}

export async function createPopulation({ service, receiver }: Bench): Promise<Population> {
  const hosts = [...receiver.healthy, ...receiver.silent, await refusingHost()]
  const merchants = await Promise.all(hosts.map((host, number) => createMerchant(service, number, host)))
  const healthy = merchants.slice(0, receiver.healthy.length)
  await Promise.all(healthy.map((merchant) => merchant.enable()))
  return { healthy: healthy as unknown as Population['healthy'], dead: merchants.slice(healthy.length) }
}

/** An address where nobody listens. */
async function refusingHost(): Promise<string> {
  for (;;) {
    const port = randomInt(UNUSED_PORTS.from, UNUSED_PORTS.to)
    if (await isPortFree(port)) return `http://127.0.0.1:${port}`
  }
}
