#!/usr/bin/env node
import { commandOf } from './command.ts'
import { run } from './run.ts'

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort())
process.once('SIGTERM', () => interrupted.abort())
// Whoever reads may have had enough, such as `head`.
process.stdout.on('error', () => process.exit(0))

const { env, stdin, stdout, stderr } = process
const [, script = '', ...args] = process.argv
const folder = process.cwd()
process.exitCode = await run(args, {
  ...{ env, command: commandOf({ env, script, folder }), folder, stdin, stdout, stderr },
  signal: interrupted.signal,
})
