import type { Command } from 'commander'
import type { ListedApiRequest } from '../../../node/src/index.ts'
import { connect } from '../credentials/credentials.ts'
import { defineCommand, FILTER_WORDS, groupOf } from '../define-command.ts'
import { type Io, remark } from '../io.ts'
import { type OutputOptions, showLine } from '../output/show.ts'
import { painterOf, paintState, printable } from '../output/style.ts'
import { follow } from './follow.ts'
import { FOLLOWER } from './listen.ts'

/** Each process of the service writes its requests together, so that some are listed behind later ones of others. */
const OVERLAP_MS = 15_000

interface LogOptions extends OutputOptions {
  filter?: string[]
}

export function addLogs(program: Command, io: Io): void {
  defineCommand(io, groupOf(program, 'logs'), 'tail', {
    summary: 'Show requests as they are answered',
    details:
      'From now on, with what pages and apps of customers ask; without what this command and listen ask themselves.',
    examples: ['logs tail', 'logs tail --filter "status>=400"', 'logs tail --json | jq .path'],
  })
    .option('--filter <condition...>', `${FILTER_WORDS}; fields as in "${io.command} api-requests list --help"`)
    .action((options: LogOptions) => tail(io, options))
}

async function tail(io: Io, options: LogOptions): Promise<void> {
  const client = await connect(io, { maxRetries: 0, appInfo: FOLLOWER })
  const { lastResponse } = await client.apiRequests.list(
    { limit: 1, filter: options.filter ?? [] },
    { signal: io.signal },
  )
  // By the clock of the service, which is the one of its log.
  const begin = Date.parse(lastResponse.header('date') ?? '') || Date.now()
  /** The requests of the overlap that were shown, with their instants. */
  const shown = new Map<string, number>()
  let newest = begin
  remark(io, 'Requests from now on; instants are in UTC. Ctrl-C ends.')
  await follow(io, async () => {
    const since = Math.max(begin, newest - OVERLAP_MS)
    const filter = [...(options.filter ?? []), `created_at>=${new Date(since).toISOString()}`]
    for (const [id, at] of shown) if (at < since) shown.delete(id)
    for await (const request of client.apiRequests.list({ order: 'asc', filter }, { signal: io.signal })) {
      const at = Date.parse(request.created_at)
      newest = Math.max(newest, at)
      if (shown.has(request.id)) continue
      shown.set(request.id, at)
      if (request.user_agent?.includes(FOLLOWER.name)) continue
      showLine(io, options, request, () => lineOf(request, io))
    }
  })
}

function lineOf({ created_at, status, method, path, latency_ms, error_type }: ListedApiRequest, io: Io): string {
  const paint = painterOf(io.stdout)
  const time = paint('dim', created_at.slice(11, 19))
  const line = `${time} ${paintState(paint, String(status))} ${method} ${printable(path)} ${paint('dim', `${latency_ms} ms`)}`
  return error_type === null ? line : `${line}\n  ${paint('red', error_type)}`
}
