import { renderTable } from '../../bench/report.ts'
import { emptyPlace } from '../../scripts/full-stack/places.ts'
import { startFullStack } from '../../scripts/full-stack/stack.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import type { Progress } from '../../src/startup-error.ts'
import { type Kill, killEach } from './kills.ts'
import { doMainJob } from './main-job.ts'
import { makeMerchant } from './merchant.ts'

/**
 * Does the main job on a production set-up of its own, and kills each part.
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
  const kills = await killEach(stack, merchantNamed, shutdown, say)
  await doMainJob((await merchantNamed('Main job, again')).client, signal)
  return renderKills(kills)
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
