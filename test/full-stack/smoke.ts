import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { renderTable } from '../../bench/report.ts'
import { emptyPlace, makeEmptyFolder } from '../../scripts/full-stack/places.ts'
import { startFullStack } from '../../scripts/full-stack/stack.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import type { Progress } from '../../src/startup-error.ts'
import { npmStart } from '../support/processes/npm-start.ts'
import { type Figures, measureAuthorizations } from './figures.ts'
import { compareBooks, type Kill, killEach } from './kills.ts'
import { doMainJob } from './main-job.ts'
import { makeMerchant } from './merchant.ts'

/**
 * Does the main job on a production set-up of its own, measures it beside the embedded default, and kills each part.
 *
 * @returns the report.
 * @throws Error where anything is not as it is to be.
 */
export async function smoke(
  programs: { server: string; sql: string },
  shutdown: Shutdown,
  say: Progress,
): Promise<string> {
  const { signal } = shutdown
  const embedded = await measureEmbedded(shutdown, say)
  const place = await emptyPlace(shutdown)
  const stack = await startFullStack({ place, programs, temporalUiUrl: undefined, say }, shutdown)
  const environment = {
    DATABASE_URL: stack.databaseUrl(),
    TEMPORAL_ADDRESS: stack.temporalAddress,
    DATA_DIR: place.folder,
  }
  const merchantNamed = (name: string) => makeMerchant(name, stack.baseUrl, environment, signal)

  const job = await doMainJob((await merchantNamed('Main job')).client, signal)
  say(`The main job: ${job}`)
  say('Measuring')
  const measured = await merchantNamed('Figures')
  const { figures, told } = await measureAuthorizations(stack.baseUrl, measured, shutdown)
  await compareBooks(stack, measured, told)
  const kills = await killEach(stack, merchantNamed, shutdown, say)
  await doMainJob((await merchantNamed('Main job, again')).client, signal)
  return `${renderFigures({ embedded, full: figures })}\n\n${renderKills(kills)}`
}

/** Measures `npm start` with nothing given, which is over before anything else is begun. */
async function measureEmbedded(shutdown: Shutdown, say: Progress): Promise<Figures> {
  say('Measuring the embedded default, npm start, first')
  const folder = await makeEmptyFolder(shutdown)
  const dataFolder = join(folder, 'data')
  await mkdir(dataFolder, { mode: 0o711 })
  const { signal } = shutdown
  const service = await npmStart(dataFolder, { logFile: join(folder, 'npm-start.log'), say, shutdown })
  // The servers are in a file of the data folder.
  const merchant = await makeMerchant('Figures', service.baseUrl, { DATA_DIR: dataFolder }, signal)
  const { figures } = await measureAuthorizations(service.baseUrl, merchant, shutdown)
  await service.stop()
  return figures
}

function renderFigures({ embedded, full }: Record<'embedded' | 'full', Figures>): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const row = (name: string, { p50Ms, p99Ms, p50OfEightMs, ratePerSecond }: Figures) => [
    name,
    ms(p50Ms),
    ms(p99Ms),
    ms(p50OfEightMs),
    ratePerSecond.toFixed(1),
  ]
  return renderTable(
    ['authorize', 'p50, 1 caller', 'p99, 1 caller', 'p50, 8 callers', 'a second, 8 callers'],
    [
      row('npm start: one process, embedded Temporal', embedded),
      row('stack:full: API, worker, Temporal on PostgreSQL', full),
    ],
  )
}

function renderKills(kills: readonly Kill[]): string {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
  return renderTable(
    ['killed', 'payments', 'captured', 'refused', 'requests sent again', 'longest wait', 'all back after'],
    kills.map(({ part, audit, repeated, longestMs, awayMs }) => [
      part,
      String(audit.payments),
      String(audit.captured),
      String(audit.failed),
      String(repeated),
      seconds(longestMs),
      seconds(awayMs),
    ]),
  )
}
