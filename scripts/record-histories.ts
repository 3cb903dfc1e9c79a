/**
 * Runs the scenarios of test/replay on a real stack and keeps their histories for the current version.
 *
 * What is recorded is never recorded again by itself: an old history is the proof that payments which began before a
 * release go on after it. Only while a version is not released, remove a file by hand and run this to replace it.
 */
import { runWithoutOptions } from '../src/processes/command-line.ts'
import { isRecorded, recordingName, writeRecording } from '../test/replay/recordings.ts'
import { SCENARIOS } from '../test/replay/scenarios.ts'
import { startGuardian } from '../test/support/servers.ts'
import { makeStack } from '../test/support/stack.ts'

process.exitCode = await runWithoutOptions({
  name: 'record-histories',
  about: 'Runs the scenarios of test/replay that have no history of the present version, and keeps their histories.',
  async run() {
    const guardian = await startGuardian()
    try {
      for (const mode of ['together', 'apart'] as const) await record(mode)
    } finally {
      await guardian.stop()
    }
  },
})

async function record(mode: 'together' | 'apart'): Promise<void> {
  const missing = Object.entries(SCENARIOS)
    .filter(([, { modes }]) => modes.includes(mode))
    .map(([scenario, { run }]) => ({ name: recordingName(scenario, mode), run }))
    .filter(({ name }) => !isRecorded(name))
  if (missing.length === 0) return
  const stack = await makeStack({ mode })
  const recorded = []
  try {
    for (const { name, run } of missing) {
      const history = await stack.history(await run(stack))
      if (history === undefined) throw new Error(`${name} has left no history.`)
      recorded.push({ name, history })
    }
  } finally {
    // Finds card data and histories that do not replay, before anything is kept.
    await stack.stop()
  }
  for (const { name, history } of recorded) {
    writeRecording(name, history)
    console.log(`${name}: ${history.events.length} events`)
  }
}
