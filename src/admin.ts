/** `npm run admin -- <command>`: what an operator does on servers that are not embedded. */
import { runCommandLine } from './admin/command-line.ts'
import { TERMINAL } from './processes/command-line.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), TERMINAL)
