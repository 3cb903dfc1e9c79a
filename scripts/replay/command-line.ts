import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { readConfig, readConfigWith } from '../../src/config.ts'
import { withRunningServers } from '../../src/embedded/servers-file.ts'
import { readKeysFile } from '../../src/keys/keys-file.ts'
import {
  createProgram,
  type ExitCode,
  runProgram,
  type Terminal,
  UsageError,
} from '../../src/processes/command-line.ts'
import { explain } from '../../src/processes/run-process.ts'
import type { Keys } from '../../src/vault/keys.ts'
import { fetchHistory } from './fetch-history.ts'
import { checkPayloads, type History, type HistoryEvent, parseHistory, workflowIdIn } from './history.ts'
import { type FailedReplay, replayHistory } from './replay-history.ts'

const ABOUT = `Replays the history of a workflow against the workflows of this working tree, and says whether they make the same \
decisions again, or what is the first one that differs.`

const WHAT = `a workflow id such as payment-iv_… or webhook-ev_…, whose history is fetched from TEMPORAL_ADDRESS, or from the \
running npm start of DATA_DIR; or a file: downloaded from Temporal's UI without decoding, printed by temporal workflow show \
--output json, or kept by npm run record-histories`

const NOTES = `
Encrypted histories need PAYLOAD_KEYS, with the other keys of the service in the environment or in DATA_DIR/keys.json.
Exit codes: 0 it replays, 1 it does not, 2 the history cannot be had or read, or the command line is wrong.`

interface Options {
  run?: string
  namespace?: string
}

/** Replays the history that the arguments name. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let replays = true
  const program = createProgram('replay', terminal)
    .description(ABOUT)
    .argument('<workflow>', WHAT)
    .option('--run <id>', 'that run; the last one where it is absent')
    .option('--namespace <name>', 'where the workflow is; both namespaces of the service are looked through without it')
    .addHelpText('after', NOTES)
    .action(async (given: string, options: Options) => {
      try {
        const { message, failed } = await replay(given, options)
        replays = !failed
        terminal.say(message)
      } catch (error) {
        // What keeps a history from being replayed says nothing about whether it does.
        throw error instanceof UsageError ? error : new UsageError(explain(error))
      }
    })
  const exitCode = await runProgram(program, args, terminal)
  return exitCode === 0 && !replays ? 1 : exitCode
}

async function replay(given: string, options: Options): Promise<{ message: string; failed: boolean }> {
  const history = await readHistory(given, options)
  const keys = await readPayloadKeys()
  const workflowId = workflowIdIn(history) ?? given
  checkPayloads(history, keys, workflowId)
  const failed = await replayHistory(history, { workflowId, keys })
  if (failed !== null) return { message: describeFailure(workflowId, failed), failed: true }
  return { message: `${workflowId} replays to its end, ${history.events.length} events.`, failed: false }
}

async function readHistory(given: string, { run: runId, namespace }: Options): Promise<History> {
  if (existsSync(given)) return parseHistory(await readFile(given, 'utf8'), given)
  if (/[/\\]|\.json$/.test(given)) throw new UsageError(`There is no file ${given}.`)
  const config = readConfigWith({ servers: ['temporalAddress'], keys: false }, withRunningServers(process.env))
  return fetchHistory(config, { workflowId: given, runId, namespace })
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
