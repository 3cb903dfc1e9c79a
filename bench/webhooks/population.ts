import { freePort } from '../../src/embedded/ports.ts'
import type { Bench } from './bench.ts'
import { createMerchant, type Merchant } from './merchants.ts'

/** Ten merchants, of whom a fifth have dead endpoints: one that refuses connections and one that never answers. */
const HEALTHY_COUNT = 8
export const SILENT_COUNT = 1
const REFUSING_COUNT = 1

/** Each merchant has a server that answers; those of the dead are used in comparisons only. */
export const SERVERS_COUNT = HEALTHY_COUNT + SILENT_COUNT + REFUSING_COUNT

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
  // Nobody listens on a port that is free.
  const deadHosts = [...receiver.silent, `http://127.0.0.1:${await freePort()}`]
  const dead = others.map((merchant, index) => {
    return { merchant, deadHost: deadHosts[index] as string, livingHost: hostOf(merchant) }
  })
  return { healthy: healthy as unknown as Population['healthy'], dead }
}
