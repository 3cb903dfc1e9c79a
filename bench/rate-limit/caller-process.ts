/**
 * Asks the limiter as an API process does: with a pool of connections of its own, and `admitKey` for every request. Ends
 * with the process that started it.
 */
import { openSync, writeSync } from 'node:fs'
import { MikroORM } from '@mikro-orm/postgresql'
import { type AdmitKey, createKeyAdmission } from '../../src/rate-limit/key-admission.ts'
import { monotonicMs } from '../measure/clock.ts'
import {
  ADMITTED,
  type CallerCommand,
  type CallerMessage,
  type CallerTask,
  type Operation,
  REFUSED,
} from './callers.ts'
import { LOOK_UP } from './look-up.ts'

interface Asking extends CallerTask {
  orm: MikroORM
  admitKey: AdmitKey
  record: number
}

let asking: Asking | undefined

const tell = (message: CallerMessage) => void process.send?.(message)

process.on('disconnect', () => process.exit())
process.on('message', (command: CallerCommand) => void obey(command))

async function obey(command: CallerCommand): Promise<void> {
  if (command.kind === 'begin') {
    asking = await begin(command.task)
    tell({ kind: 'ready' })
    return
  }
  if (asking === undefined) throw new Error('It was told to ask before it was told whom.')
  if (command.kind === 'ask-on') await askOn(asking)
  else tell({ kind: 'measured', latencies: await measure(asking, command.operation, command.durationMs) })
}

async function begin(task: CallerTask): Promise<Asking> {
  // Getting to know the entities takes most of a start, and the statements of the limiter need none of them.
  const orm = await MikroORM.init({
    clientUrl: task.databaseUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: task.concurrency },
  })
  // The connections are there before anything counts.
  await Promise.all(Array.from({ length: task.concurrency }, () => orm.em.fork().execute('select pg_sleep(0.05)')))
  return { ...task, orm, admitKey: createKeyAdmission(orm), record: openSync(task.recordFile, 'a') }
}

async function measure(given: Asking, operation: Operation, durationMs: number): Promise<number[]> {
  const operate = operationOf(given, operation)
  const latencies: number[] = []
  const endsAt = monotonicMs() + durationMs
  await atOnce(given.concurrency, async () => {
    for (let startedAt = monotonicMs(); startedAt < endsAt; startedAt = monotonicMs()) {
      await operate()
      latencies.push(monotonicMs() - startedAt)
    }
  })
  return latencies
}

function operationOf({ orm, admitKey, question }: Asking, operation: Operation): () => Promise<unknown> {
  const { projectId, secretHash, meansSandbox, isSecondary } = question
  if (operation === 'floor') return () => orm.em.fork().execute('select 1')
  if (operation === 'admit') return () => admitKey(question)
  return () => orm.em.fork().execute(LOOK_UP, [projectId, secretHash, meansSandbox, isSecondary])
}

async function askOn({ admitKey, question, concurrency, record }: Asking): Promise<void> {
  await atOnce(concurrency, async () => {
    for (;;) {
      const admitted = await admitKey(question)
      writeSync(record, admitted?.usage.isAllowed === true ? ADMITTED : REFUSED)
    }
  })
}

async function atOnce(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work))
}
