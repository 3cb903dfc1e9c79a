import { randomInt } from 'node:crypto'
import { isPortFree } from '../../src/embedded/ports.ts'
import type { Bench } from './bench.ts'
import { createMerchant, type Merchant } from './merchants.ts'

/** Ten merchants, of whom a fifth have dead endpoints: one that refuses connections and one that never answers. */
const HEALTHY_COUNT = 8
export const SILENT_COUNT = 1
const REFUSING_COUNT = 1

/** Each merchant has a server that answers; those of the dead are used in comparisons only. */
export const SERVERS_COUNT = HEALTHY_COUNT + SILENT_COUNT + REFUSING_COUNT

/** Below the ports that a system gives out by itself (Linux: from 32768 on), so that nobody else is given this one. */
const UNUSED_PORTS = { from: 20_000, to: 32_000 }

export interface Population {
  healthy: readonly [Merchant, ...Merchant[]]
  /** Their endpoints are not there yet. */
  dead: readonly { merchant: Merchant; deadHost: string; livingHost: string }[]
}

export async function createPopulation({ service, receiver }: Bench): Promise<Population> {
  const merchants = await Promise.all(receiver.healthy.map((_, number) => createMerchant(service, number)))
  const [healthy, others] = [merchants.slice(0, HEALTHY_COUNT), merchants.slice(HEALTHY_COUNT)]
  const hostOf = (merchant: Merchant) => receiver.healthy[merchants.indexOf(merchant)] as string
  await Promise.all(healthy.map((merchant) => merchant.enable(hostOf(merchant))))
  const deadHosts = [...receiver.silent, await refusingHost()]
  const dead = others.map((merchant, index) => {
    return { merchant, deadHost: deadHosts[index] as string, livingHost: hostOf(merchant) }
  })
  return { healthy: healthy as unknown as Population['healthy'], dead }
}

/** An address where nobody listens. */
async function refusingHost(): Promise<string> {
  for (;;) {
    const port = randomInt(UNUSED_PORTS.from, UNUSED_PORTS.to)
    if (await isPortFree(port)) return `http://127.0.0.1:${port}`
  }
}
