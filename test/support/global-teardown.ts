import './global-setup.ts'
import { takeNotes } from '../gateways/skipped.ts'
import { PLANTED, takeFinalLook } from './canary/final-look.ts'
import { startedServers } from './servers.ts'

/** Jest says "did not exit" after one second; whoever reads the terminal should see that. */
const EXIT_AFTER_MS = 3_000

/** The whole suite leaves some thousands of histories; what every stack has written was looked through by itself. */
const HISTORIES_WITHIN_MS = 5_000

/**
 * Looks through everything that is left on the servers before they go.
 *
 * @throws Error, and so the run fails, where a card number or a secret is found.
 */
export default async function globalTeardown(): Promise<void> {
  try {
    const findings = await whatIsLeft()
    if (findings.length > 0) throw new Error(`The run has left behind:\n${findings.join('\n')}`)
  } finally {
    await globalThis.testGuardian?.stop()
    // Said when it happened, and lost among a thousand lines since.
    for (const note of takeNotes()) process.stderr.write(`${note}\n`)
    // A test that failed half-way may have left a worker or a connection open, whose threads would keep the run alive
    // for ever. Where nothing is left open the timer does not keep it alive either.
    setTimeout(() => process.exit(), EXIT_AFTER_MS).unref()
  }
}

async function whatIsLeft(): Promise<string[]> {
  const begun = performance.now()
  const servers = await startedServers()
  if (servers.postgres === undefined && servers.temporal === undefined) return []
  const look = await takeFinalLook(servers, { historiesWithinMs: HISTORIES_WITHIN_MS, ignoring: PLANTED })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const { databases, statements, logs, workflows, histories, findings } = look
  process.stderr.write(
    `Looked for card numbers and secrets in ${databases} databases, ${statements} statements, ${logs} logs, ` +
      `${workflows} workflows and ${histories} of their histories: ${findings.length} found, ${seconds} s\n`,
  )
  return findings
}
