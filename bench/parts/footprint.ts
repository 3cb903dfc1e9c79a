import { setTimeout as sleep } from 'node:timers/promises'
import { auditPayments } from '../payments/audit.ts'
import { openShop } from '../payments/shop.ts'
import { AUTHORIZE } from '../payments/ways.ts'
import { absoluteFigureOf, type Bar, type Figure } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import { makeDataFolder } from '../stage/data-folder.ts'
import { type Program, readDisk, readFolder, readMemory } from '../waiting/footprint.ts'
import { startOwnService } from '../waiting/service.ts'
import type { Part, PartContext, PartResult } from './part.ts'

const AUTHORIZATIONS = 10_000
const QUICK = 200
const CONCURRENCY = 8
/** In so many portions, between which memory is read, so that it shows whether it still grows. */
const PORTIONS = 4
/** What a start leaves to be collected is, by then. */
const SETTLE_MS = 5_000

const MB = 1_000_000

export const part: Part = {
  name: 'footprint',
  title: 'Memory and disk',
  about:
    'Memory of npm start before and after 10,000 authorizations, which then wait, and what they leave on the disk.',
  stage: 'none',
  run: measure,
}

type Memory = Record<Program, number>

/** Measured once, whatever the repeats; the portions tell whether memory grows. */
async function measure(context: PartContext): Promise<PartResult> {
  const { quick, say, shutdown, signal } = context
  const dataFolder = await makeDataFolder(shutdown)
  const service = await startOwnService(dataFolder, context)
  const read = async (): Promise<Memory> => {
    await sleep(SETTLE_MS, undefined, { signal })
    const memory = await readMemory(service.pid)
    if (memory === null) throw new Error('This system does not tell how much memory a process has.')
    say(inBrief(memory))
    return memory
  }
  const started = await read()
  const shop = await openShop(service, shutdown)
  const portions: Memory[] = []
  for (let portion = 0; portion < PORTIONS; portion += 1) {
    await shop.pay(AUTHORIZE, { kind: 'all', concurrency: CONCURRENCY }, (quick ? QUICK : AUTHORIZATIONS) / PORTIONS)
    portions.push(await read())
  }
  const pool = await service.core.orm.driver.getConnection().getNativeClient()
  const { rows } = await pool.query<{ folder: string }>("select current_setting('data_directory') folder")
  const disk = {
    postgres: await readFolder(rows[0]?.folder ?? ''),
    temporal: await readDisk(dataFolder),
  }
  say(inBrief({ disk }))
  const { payments } = await auditPayments(service.core, shop, shop.told)
  const last = portions.at(-1) as Memory
  return {
    figures: [
      figure('API and worker, just started', started.service, { atMost: 350, stretch: 250 }),
      figure('API and worker, after 10,000 authorizations', last.service, { atMost: 800, stretch: 600 }),
      figure('Temporal, just started', started.temporal),
      figure('Temporal, after 10,000 authorizations', last.temporal),
      figure('PostgreSQL, just started', started.postgres),
      figure('PostgreSQL, after 10,000 authorizations', last.postgres),
      figure("PostgreSQL's folder after 10,000 authorizations, log included", disk.postgres, {
        atMost: 400,
        stretch: 250,
      }),
      figure("Temporal's database after 10,000 authorizations", disk.temporal),
    ],
    audit: { payments },
    repeats: [{ started, portions, disk }],
  }
}

function figure(name: string, bytes: number, bar?: Bar): Figure {
  return absoluteFigureOf({ name, unit: 'MB', bar }, [bytes / MB])
}
