/** `npm run new:gateway -- NAME`: begins the adapter of a gateway, with the tests that it has to pass. */
import { fileURLToPath } from 'node:url'
import { TERMINAL } from '../src/processes/command-line.ts'
import { runCommandLine } from './new-gateway/command-line.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), fileURLToPath(new URL('..', import.meta.url)), TERMINAL)
