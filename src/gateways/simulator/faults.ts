import { createHash } from 'node:crypto'
import type { Fault, FaultSettings } from './settings.ts'

/** A number from 0 up to 1, without 1. */
export type Random = () => number

/** What is drawn: with a seed each purpose has numbers of its own, so that a longer delay changes no fault. */
type Purpose = 'fault' | 'which fault' | 'delay' | 'spread of the delay'

/** As many bits of a hash as a number holds exactly. */
const HASH_BITS = 48

/** The number of standard deviations below which 99 % of a normal distribution lie. */
const Z_99 = 2.3263478740408408

/** The wait that a log-normal delay never exceeds, whatever chance says: longer than anybody waits for a gateway. */
const DELAY_MAX_MS = 60_000

/** With a seed the number that always belongs to this purpose and reference; else any. */
function draw({ seed }: FaultSettings, purpose: Purpose, reference: string, random: Random): number {
  if (seed === undefined) return random()
  const hash = createHash('sha256')
    .update(JSON.stringify([seed, purpose, reference]))
    .digest()
  return hash.readUIntBE(0, HASH_BITS / 8) / 2 ** HASH_BITS
}

/** What goes wrong with the call under a reference; null where nothing does. */
export function drawFault(settings: FaultSettings, reference: string, random: Random): Fault | null {
  const { fault_rate: rate, faults } = settings
  if (rate === 0 || draw(settings, 'fault', reference, random) >= rate) return null
  return faults[Math.floor(draw(settings, 'which fault', reference, random) * faults.length)] ?? null
}

/** How long the answer to the call under a reference takes, in milliseconds. */
export function drawDelay(settings: FaultSettings, reference: string, random: Random): number {
  const { delay_ms: constantMs = 0, delay_p50_ms: p50Ms, delay_p99_ms: p99Ms } = settings
  if (p50Ms === undefined || p99Ms === undefined) return constantMs
  const one = draw(settings, 'delay', reference, random)
  const other = draw(settings, 'spread of the delay', reference, random)
  // The method of Box and Muller makes a normal distribution of two numbers.
  const normal = Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other)
  const sigma = Math.log(p99Ms / p50Ms) / Z_99
  return Math.min(DELAY_MAX_MS, p50Ms * Math.exp(sigma * normal))
}
