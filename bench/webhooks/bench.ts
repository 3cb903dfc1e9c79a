import type { Floor } from '../floor/floor.ts'
import type { Receiver } from '../stage/receiver.ts'
import type { Deliveries } from './deliveries.ts'
import type { Served } from './merchants.ts'
import type { Options } from './options.ts'

/** What all measurements of webhooks work with. */
export interface Bench {
  service: Served
  floor: Floor
  receiver: Receiver
  deliveries: Deliveries
  options: Options
  /** Aborted when the process is to stop. */
  signal: AbortSignal
}
