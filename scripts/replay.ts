/** `npm run replay -- WORKFLOW_ID | FILE`: replays a history against the workflows of this working tree. */
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { TERMINAL } from '../src/processes/command-line.ts'
import { runCommandLine } from './replay/command-line.ts'

// A replay that fails is told by the command, in words.
Runtime.install({
  logger: new DefaultLogger('ERROR', () => undefined),
  telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
})

process.exitCode = await runCommandLine(process.argv.slice(2), TERMINAL)
// A replay leaves handles of the SDK behind, which would keep the process for a while.
process.exit()
