import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readConfig, readConfigWith } from '../../src/config.ts'
import { withRunningServers } from '../../src/embedded/servers-file.ts'
import { readKeysFile } from '../../src/keys/keys-file.ts'
import { explain } from '../../src/processes/run-process.ts'
import type { Keys } from '../../src/vault/keys.ts'
import { fetchHistory, type WantedRun } from './fetch-history.ts'
import {
  checkPayloads,
  type History,
  type HistoryEvent,
  parseHistory,
  UnusableHistory,
  workflowIdIn,
} from './history.ts'
import { type FailedReplay, replayHistory } from './replay-history.ts'

const HELP = `Usage: npm run replay -- WORKFLOW_ID | FILE [--run RUN_ID] [--namespace NAME]

Replays the history of a workflow against the workflows of this working tree, and says whether they make the same decisions
again, or what is the first one that differs.

  WORKFLOW_ID        such as payment-iv_… or webhook-ev_…; its history is fetched from TEMPORAL_ADDRESS, or from the running
                     npm start of DATA_DIR
  FILE               a history: downloaded from Temporal's UI without decoding, printed by temporal workflow show --output
                     json, or kept by npm run record-histories
  --run RUN_ID       that run; the last one where it is absent
  --namespace NAME   where the workflow is; both namespaces of the service are looked through where it is absent
  --help             this text

Encrypted histories need PAYLOAD_KEYS, with the other keys of the service in the environment or in DATA_DIR/keys.json.
Exit codes: 0 it replays, 1 it does not, 2 the history cannot be had or read, or the command line is wrong.`

interface Terminal {
  say(line: string): void
  complain(line: string): void
}

class UsageError extends Error {}

interface Wanted extends WantedRun {
  file: string | null
}

/** Replays the history that the arguments name; answers with the exit code. */
export async function runCommandLine(args: readonly string[], { say, complain }: Terminal): Promise<0 | 1 | 2> {
  try {
    const wanted = readArguments(args)
    if (wanted === null) {
      say(HELP)
      return 0
    }
    const history = await readHistory(wanted)
    const keys = await readPayloadKeys()
    const workflowId = workflowIdIn(history) ?? wanted.workflowId
    checkPayloads(history, keys, workflowId)
    const failed = await replayHistory(history, { workflowId, keys })
    if (failed === null) {
      say(`${workflowId} replays to its end, ${history.events.length} events.`)
      return 0
    }
    say(describeFailure(workflowId, failed))
    return 1
  } catch (error) {
    const isForPerson = error instanceof UsageError || error instanceof UnusableHistory
    complain(isForPerson ? error.message : explain(error))
    return 2
  }
}

/** Null where help is asked for. */
function readArguments(args: readonly string[]): Wanted | null {
  const { values, positionals } = parse(args)
  if (values.help === true) return null
  const [given, ...more] = positionals
  if (given === undefined || more.length > 0) throw new UsageError(HELP)
  const file = existsSync(given) ? given : null
  if (file === null && /[/\\]|\.json$/.test(given)) throw new UsageError(`There is no file ${given}.`)
  return { file, workflowId: given, runId: values.run, namespace: values.namespace }
}

function parse(args: readonly string[]) {
  try {
    const string = { type: 'string' } as const
    return parseArgs({
      args: [...args],
      options: { run: string, namespace: string, help: { type: 'boolean' } },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function readHistory(wanted: Wanted): Promise<History> {
  if (wanted.file !== null) return parseHistory(await readFile(wanted.file, 'utf8'), wanted.file)
  const config = readConfigWith({ servers: ['temporalAddress'], keys: false }, withRunningServers(process.env))
  return fetchHistory(config, wanted)
}

/** None where the service has none here: a plain history needs none, and an encrypted one says which it lacks. */
async function readPayloadKeys(): Promise<Pick<Keys, 'payload'>> {
  const { keys, dataFolder } = readConfig()
  return keys ?? (await readKeysFile(dataFolder)) ?? { payload: { current: '', keys: new Map() } }
}

/** The first difference in words, then what Temporal itself says. */
export function describeFailure(workflowId: string, { message, difference, named }: FailedReplay): string {
  const words =
    difference === null
      ? [named === null ? 'It fails.' : `It fails at ${describeEvent(named)}.`]
      : difference.event === null
        ? [`The history has nothing more where the code now ${difference.inCode}.`]
        : [
            `The first difference is ${describeEvent(difference.event)}:`,
            `  the history has ${difference.inHistory};`,
            `  the code now ${difference.inCode}.`,
          ]
  return [`${workflowId} does not replay against this working tree.`, ...words, `Temporal says: ${message}`].join('\n')
}

function describeEvent({ eventId, eventType, eventTime }: HistoryEvent): string {
  const type = eventType
    .replace(/^EVENT_TYPE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase()
  return `event ${eventId} (${type}, ${eventTime.slice(0, 19).replace('T', ' ')} UTC)`
}
