/** `npm run admin -- <command>`: what an operator does on servers that are not embedded. */
import { say } from '../src/processes/run-process.ts'
import { runCommandLine } from './admin/command-line.ts'

const complain = (line: string) => void process.stderr.write(`${line}\n`)

process.exitCode = await runCommandLine(process.argv.slice(2), { say, complain })
