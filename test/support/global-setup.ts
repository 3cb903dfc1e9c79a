import { beginNotes } from '../gateways/skipped.ts'
import { type Guardian, startGuardian } from './servers.ts'

/** Jest keeps `globalThis` between its set-up and its teardown, and shares it with nothing else. */
declare global {
  var testGuardian: Guardian | undefined
}

export default async function globalSetup(): Promise<void> {
  beginNotes()
  globalThis.testGuardian = await startGuardian()
}
