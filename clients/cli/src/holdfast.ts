#!/usr/bin/env node
import { run } from './run.ts'

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort())
process.once('SIGTERM', () => interrupted.abort())
// Whoever reads may have had enough, such as `head`.
process.stdout.on('error', () => process.exit(0))

const { env, stdin, stdout, stderr } = process
process.exitCode = await run(process.argv.slice(2), {
  ...{ env, folder: process.cwd(), stdin, stdout, stderr },
  signal: interrupted.signal,
})
