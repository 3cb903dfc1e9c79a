import { join } from 'node:path'
import { makeEmptyFolder } from '../../scripts/full-stack/places.ts'
import { auditOrders } from '../../test/support/order-audit.ts'
import { figureOf } from '../figures.ts'
import { type OwnService, startOwnService } from '../own-service.ts'
import type { Part, PartContext, PartResult } from '../part.ts'
import { AUTHORIZE, openShop } from '../shop.ts'

const PAYMENTS = 10_000
const PAYMENTS_QUICK = 100
const CONCURRENCY = 8
const MB = 1_000_000

export const part: Part = {
  name: 'memory',
  title: 'Memory and disk',
  about: 'What npm start takes of memory and disk when it has just started, and after 10,000 authorizations.',
  stage: 'none',
  run: measure,
}

/** Once: what a service keeps is no matter of chance. */
async function measure(context: PartContext): Promise<PartResult> {
  const folder = await makeEmptyFolder(context.shutdown)
  const service = await startOwnService(join(folder, 'data'), context)
  const before = read(service)
  const shop = await openShop(service, context.shutdown)
  const payments = context.quick ? PAYMENTS_QUICK : PAYMENTS
  // A part at a time, because orders that wait in the bench would be no part of it, but of the time.
  for (let paid = 0; paid < payments; paid += payments / 10) {
    await shop.pay(AUTHORIZE, { kind: 'all', concurrency: CONCURRENCY }, payments / 10)
    context.say(`${paid + payments / 10} of ${payments} authorizations`)
  }
  const after = read(service)
  const figures = (Object.keys(before) as (keyof typeof before)[]).flatMap((name) => [
    figureOf({ name: `${name}, just started`, unit: 'MB' }, [before[name] / MB]),
    figureOf({ name: `${name}, after ${payments} authorizations`, unit: 'MB' }, [after[name] / MB]),
  ])
  const { payments: audited } = await auditOrders(service.core, shop, shop.told)
  return { figures, audit: { payments: audited }, repeats: [{ before, after }] }
}

function read({ readMemory, readDisk }: OwnService) {
  const { service, temporal, postgres } = readMemory()
  return {
    'memory of API and worker': service,
    'memory of Temporal': temporal,
    'memory of PostgreSQL': postgres,
    "Temporal's folder": readDisk('temporal'),
    "PostgreSQL's folder": readDisk('postgres'),
  }
}
