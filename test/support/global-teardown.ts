import './global-setup.ts'

/** Jest says "did not exit" after one second; whoever reads the terminal should see that. */
const EXIT_AFTER_MS = 3_000

export default async function globalTeardown(): Promise<void> {
  await globalThis.testGuardian?.stop()
  // A test that failed half-way may have left a worker or a connection open, whose threads would keep the run alive
  // for ever. Where nothing is left open the timer does not keep it alive either.
  setTimeout(() => process.exit(), EXIT_AFTER_MS).unref()
}
