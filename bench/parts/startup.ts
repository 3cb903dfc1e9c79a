import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readProcesses, timeOfTree } from '../measure/process-tree.ts'
import { npmStart } from '../npm-start/npm-start.ts'
import { PHASE_NAMES, type Phase, phasesOf } from '../npm-start/phases.ts'
import { absoluteFigureOf } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import { makeDataFolder } from '../stage/data-folder.ts'
import type { Part, PartContext, PartResult } from './part.ts'

/** What starts leave for later ones, besides the data folder. */
const CACHES = fileURLToPath(new URL('../../node_modules/.cache/holdfast', import.meta.url))

const OK = 200

export const part: Part = {
  name: 'startup',
  title: 'Start',
  about: 'npm start until it is ready: the first time, with neither data nor caches, and again.',
  stage: 'none',
  run: measure,
}

interface Start {
  readyMs: number
  /** CPU milliseconds of npm and everything it has started. */
  cpuMs: number
  phases: Record<Phase, number>
}

interface Repeat {
  cold: Start
  warm: Start
}

async function measure(context: PartContext): Promise<PartResult> {
  const { quietly, say, shutdown } = context
  const folder = await makeDataFolder(shutdown)
  const repeats: Repeat[] = []
  let answered = 0
  for (let index = 1; index <= context.repeats; index += 1) {
    const repeat = await quietly.run(async () => {
      const dataFolder = join(folder, String(index))
      await Promise.all([dataFolder, CACHES].map((one) => rm(one, { recursive: true, force: true })))
      const cold = await start(context, dataFolder)
      return { cold, warm: await start(context, dataFolder) }
    })
    answered += 2
    repeats.push(repeat)
    say(`${index} of ${context.repeats}: ${inBrief(repeat)}`)
  }
  return { figures: figuresOf(repeats), audit: { startsThatAnswered: answered }, repeats }
}

/** @throws Error where what says that it is ready is not. */
async function start(context: PartContext, dataFolder: string): Promise<Start> {
  const service = await npmStart(dataFolder, context)
  const cpuMs = timeOfTree(readProcesses(), service.pid)
  const { status } = await fetch(`${service.baseUrl}/health/ready`)
  if (status !== OK) throw new Error(`The service that has just started was answering ${status}.`)
  await service.stop()
  const phases = phasesOf(service.lines)
  return { readyMs: Object.values(phases).reduce((sum, one) => sum + one, 0), cpuMs, phases }
}

function figuresOf(repeats: readonly Repeat[]) {
  const figure = (name: string, of: (repeat: Repeat) => number) =>
    absoluteFigureOf(
      { name, unit: 's' },
      repeats.map(of).map((ms) => ms / 1000),
    )
  return [
    figure('first start', ({ cold }) => cold.readyMs),
    figure('first start, CPU', ({ cold }) => cold.cpuMs),
    figure('later start', ({ warm }) => warm.readyMs),
    figure('later start, CPU', ({ warm }) => warm.cpuMs),
    ...PHASE_NAMES.map((phase) => figure(`later start: ${phase}`, ({ warm }) => warm.phases[phase])),
  ]
}
