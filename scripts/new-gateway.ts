/** `npm run new:gateway -- NAME`: begins the adapter of a gateway, with the tests that it has to pass. */
import { fileURLToPath } from 'node:url'
import { runCommandLine } from './new-gateway/command-line.ts'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))

process.exitCode = await runCommandLine(process.argv.slice(2), {
  project: PROJECT,
  say: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
})
