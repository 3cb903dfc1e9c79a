import { setTimeout as sleep } from 'node:timers/promises'
import { type FullStack, PARTS, type Part } from '../../scripts/full-stack/stack.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { type Audit, auditOrders } from '../support/order-audit.ts'
import type { Merchant } from './merchant.ts'
import { startMerchantLoad } from './merchant-load.ts'

/** Before a kill and after everything runs again, so that each falls among payments. */
const UNDISTURBED_MS = 2_000

/** What a kill came to. */
export interface Kill {
  part: Part
  audit: Audit
  repeated: number
  longestMs: number
  /** From the kill until every part did its work again. */
  awayMs: number
}

/**
 * Kills each part in turn while merchants order, waits until everything runs again and every order is through, and compares
 * the books of both sides.
 *
 * @throws Error where a payment was lost or made twice, or does not come to an end.
 */
export async function killEach(
  stack: FullStack,
  merchantFor: (part: Part) => Promise<Merchant>,
  { signal }: Shutdown,
  say: (line: string) => void,
): Promise<Kill[]> {
  const kills: Kill[] = []
  for (const part of PARTS) {
    say(`Killing: ${part}`)
    const merchant = await merchantFor(part)
    const load = startMerchantLoad(merchant.client, signal)
    await sleep(UNDISTURBED_MS, undefined, { signal })
    const killedAt = performance.now()
    stack.parts[part].kill(0)
    await stack.ready()
    const awayMs = performance.now() - killedAt
    await sleep(UNDISTURBED_MS, undefined, { signal })
    const { told, repeated, longestMs } = await load.finish()
    kills.push({ part, audit: await compareBooks(stack, merchant, told), repeated, longestMs, awayMs })
  }
  return kills
}

/** @throws Error with the first payment on which the record and the books of the gateway differ. */
async function compareBooks(
  stack: Pick<FullStack, 'databaseUrl'>,
  { projectId }: Merchant,
  told: Parameters<typeof auditOrders>[2],
): Promise<Audit> {
  const orm = await openDatabase(stack.databaseUrl())
  try {
    return await auditOrders({ orm }, { projectId }, told)
  } finally {
    await orm.close(true)
  }
}
