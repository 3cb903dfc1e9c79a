import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeEmptyFolder } from '../../scripts/full-stack/places.ts'
import { npmStart } from '../../test/support/processes/npm-start.ts'
import { figureOf } from '../figures.ts'
import { readProcesses, timeOfTree } from '../machine.ts'
import type { Part, PartContext, PartResult } from '../part.ts'

/** What starts leave for later ones, besides the data folder. */
const CACHES = fileURLToPath(new URL('../../node_modules/.cache/holdfast', import.meta.url))

export const part: Part = {
  name: 'startup',
  title: 'Start',
  about: 'npm start until it is ready: the first time, with neither data nor caches, and again.',
  stage: 'none',
  run: measure,
}

async function measure(context: PartContext): Promise<PartResult> {
  const folder = await makeEmptyFolder(context.shutdown)
  const repeats = await context.repeat(async (index) => {
    const dataFolder = join(folder, String(index))
    await Promise.all([dataFolder, CACHES].map((one) => rm(one, { recursive: true, force: true })))
    return { first: await start(context, dataFolder), later: await start(context, dataFolder) }
  })
  const figure = (which: 'first' | 'later', what: 'ready' | 'CPU') =>
    figureOf(
      { name: `${which} start, ${what}`, unit: 's' },
      repeats.map((repeat) => repeat[which][what === 'ready' ? 'readyMs' : 'cpuMs'] / 1000),
    )
  return {
    figures: (['first', 'later'] as const).flatMap((which) => [figure(which, 'ready'), figure(which, 'CPU')]),
    audit: { startsThatAnswered: 2 * repeats.length },
    repeats,
  }
}

/** @throws Error where what says that it is ready is not. */
async function start(context: PartContext, dataFolder: string) {
  const { pid, readyMs, baseUrl, stop } = await npmStart(dataFolder, context)
  const cpuMs = timeOfTree(readProcesses(), pid)
  const { status } = await fetch(`${baseUrl}/health/ready`)
  if (status !== 200) throw new Error(`The service that has just started was answering ${status}.`)
  await stop()
  return { readyMs, cpuMs }
}
