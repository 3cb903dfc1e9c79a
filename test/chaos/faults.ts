import { existsSync, readFileSync } from 'node:fs'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/database/open-database.ts'
import { keysFile } from '../../src/keys/keys-file.ts'
import { FAULT_NAMES, type FaultName, FAULTS as STAND_IN_FAULTS } from '../../stand-ins/engine/faults.ts'
import { pick, seededRandom } from '../support/chance.ts'
import { TEMPORAL_FOLDER } from '../support/guardian/run-folder.ts'
import type { Trouble } from '../support/line.ts'
import { fillDisk } from './disk.ts'
import { type Scene, step } from './scene.ts'
import { GATEWAYS, ledgerOf, type StandIn } from './stand-in.ts'
import { startStandby } from './standby.ts'

/** The parts of the service, with the sentence that says which of them a fault is about. */
export const PARTS = {
  api: 'one of two APIs, its lines to merchants and servers',
  worker: 'one of two workers, its lines to the servers',
  'codec-server': 'the codec server, which no payment needs',
  temporal: 'the server, and all lines to it',
  postgres: 'the server, and all lines to it',
  gateway:
    'the simulator, by the settings of its accounts, and the [stand-ins](stand-ins.md) of Stripe and Adyen with the lines to them',
  receiver: "all merchants' receivers of webhooks, and the lines to them",
} as const
export type Part = keyof typeof PARTS

export interface Fault {
  name: string
  says: string
  /** Why a part is not tried with it. */
  leftOut: Partial<Record<Part, string>>
  /** Begins it; it lasts so many milliseconds, until the function that is given back is called. */
  begin(scene: Scene, part: Part, forMs: number): Promise<() => Promise<void>>
}

const INSIDE = 'inside the worker'
const HERE = 'inside the command'
const UNASKED = 'no payment asks it'
const NOT_OURS = 'no program of ours'
const OF_POSTGRES = only('postgres', 'about PostgreSQL')
const OF_TEMPORAL = only('temporal', 'about Temporal')

export const FAULTS: readonly Fault[] = [
  {
    name: 'stop',
    says: 'The process hangs (`SIGSTOP`) and goes on (`SIGCONT`)',
    leftOut: { gateway: INSIDE, receiver: HERE },
    begin: freeze,
  },
  {
    name: 'kill',
    says: 'The process is killed (`SIGKILL`) and away',
    leftOut: { gateway: INSIDE },
    begin: (scene, part, forMs) => endProcess(scene, part, forMs, 'SIGKILL'),
  },
  line('reset', 'Every connection is reset, twice a second; calls of the gateway are done, and their answers lost'),
  line('slow', 'Every answer comes 5 s later'),
  line('half-open', 'Nothing arrives and nobody is told; in the end all of it arrives'),
  line('no-route', 'Connections are refused'),
  {
    name: 'fast-shutdown',
    says: 'PostgreSQL ends its sessions, shuts down (`SIGINT`) and is away',
    leftOut: OF_POSTGRES,
    begin: (scene, part, forMs) => endProcess(scene, part, forMs, 'SIGINT'),
  },
  {
    name: 'immediate-shutdown',
    says: 'PostgreSQL ends at once (`SIGQUIT`), recovers at its start and is away meanwhile',
    leftOut: OF_POSTGRES,
    begin: (scene, part, forMs) => endProcess(scene, part, forMs, 'SIGQUIT'),
  },
  {
    name: 'disk-full',
    says: "The disk of PostgreSQL's data is full",
    leftOut: OF_POSTGRES,
    async begin({ disk }) {
      if (disk === null) throw new Impossible('only root on Linux can give PostgreSQL a disk of its own')
      return fillDisk(disk)
    },
  },
  {
    name: 'read-only',
    says: 'PostgreSQL refuses every write (`default_transaction_read_only`), as a standby does',
    leftOut: OF_POSTGRES,
    begin: makeReadOnly,
  },
  {
    name: 'failover',
    says: 'PostgreSQL is killed and stays away; a synchronous standby that lags is promoted, and keeps its place',
    leftOut: OF_POSTGRES,
    begin: failOver,
  },
  {
    name: 'set-back',
    says: "Temporal's database is that of the beginning of the fault again",
    leftOut: OF_TEMPORAL,
    begin: setTemporalBack,
  },
  {
    name: 'lost',
    says: "Temporal's database is gone, and Temporal starts empty",
    leftOut: OF_TEMPORAL,
    begin: loseTemporal,
  },
  {
    name: 'memory',
    says: 'The process starts again with a heap of 64 MB (`--max-old-space-size`)',
    leftOut: { temporal: NOT_OURS, postgres: NOT_OURS, gateway: INSIDE, receiver: HERE },
    begin: limitMemory,
  },
  {
    name: 'key-file',
    says: 'The file of the keys is another one, and the process starts again in the end',
    leftOut: { temporal: NOT_OURS, postgres: NOT_OURS, gateway: INSIDE, receiver: HERE },
    begin: replaceKeys,
  },
  ...FAULT_NAMES.map(ofGateway),
  clock('clock-ahead', '+3600', 'one hour ahead'),
  clock('clock-behind', '-3600', 'one hour behind'),
]

/** How often each strikes what it may strike, so that some of it is done between. */
const STRIKES = 0.5

/** How often each strikes in a long run, whose merchants are to get on. */
const LONG_STRIKES = 0.1
const EACH_LASTS_MS = 20_000

/** The gateways misbehave in one way after the other, each as often as any other, for so long. */
export async function misbehaveInTurn(scene: Scene, seed: number, forMs: number): Promise<void> {
  const random = seededRandom(seed)
  const until = Date.now() + forMs
  for (let leftMs = forMs; leftMs > 0; leftMs = until - Date.now()) {
    const name = pick(random, FAULT_NAMES)
    const mend = misbehave(scene, { name, share: LONG_STRIKES })
    await sleep(Math.min(EACH_LASTS_MS, leftMs), undefined, { signal: scene.shutdown.signal })
    mend()
  }
}

/** What is done when one is over, so that all comes to its end. */
const AFTERWARDS: Partial<Record<FaultName, (scene: Scene) => Promise<void>>> = {
  'notification-lost': askForUntold,
}

function knows(name: FaultName): (gateway: Pick<StandIn, 'lacks'>) => boolean {
  return ({ lacks }) => !lacks.includes(name)
}

/** Sets a fault at every gateway that has it, and gives what ends it. */
function misbehave({ standIns }: Scene, fault: { name: FaultName; share: number }): () => void {
  const struck = standIns.filter(knows(fault.name))
  for (const { faults } of struck) faults.set([fault])
  return () => {
    for (const { faults } of struck) faults.set([])
  }
}

function ofGateway(name: FaultName): Fault {
  const { says } = STAND_IN_FAULTS[name]
  const titles = GATEWAYS.filter(knows(name)).map(({ title }) => title)
  return {
    name,
    says: `${says.replace(/\.$/, '')}, at ${titles.join(' and ')}, half of the time`,
    leftOut: only('gateway', 'about a gateway'),
    async begin(scene) {
      const mend = misbehave(scene, { name, share: STRIKES })
      return async () => {
        mend()
        await AFTERWARDS[name]?.(scene)
      }
    },
  }
}

/** Staff have gateways tell again what they know of by nobody else, and resolve the rest. */
export async function askForUntold(scene: Scene): Promise<void> {
  for (const { notifier } of scene.standIns) notifier.sendLost('dispute')
  await resolveUntold(scene)
}

/** Each command of theirs is a process. */
const STAFF = 4

/** Staff see in the gateway's books how a payment ended of which it has told nobody, where nobody can ask it. */
async function resolveUntold({ service, standIns }: Scene): Promise<void> {
  const done = new Set(ledgerOf(standIns.filter(({ looksUp }) => !looksUp)).map(({ reference }) => reference))
  const orm = await openDatabase(service.databaseUrl())
  try {
    const open = await orm.em.getConnection().execute<{ invoiceId: string; operationId: string }[]>(
      `select invoice_id as "invoiceId", attempt ->> 'operationId' as "operationId"
         from transaction, jsonb_array_elements(attempts_in_flight) as attempt`,
    )
    const queue = open.filter(({ operationId }) => done.has(operationId))
    const work = async () => {
      for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
        const resolved = ['payments', 'resolve', one.invoiceId, one.operationId, 'approved', '--reason', 'In its books']
        // It refuses what has become known meanwhile.
        await service.command('src/admin.ts', ...resolved).catch(() => undefined)
      }
    }
    await Promise.all(Array.from({ length: STAFF }, work))
  } finally {
    await orm.close(true)
  }
}

/** A fault of a part, tried once. */
export interface Cell {
  fault: Fault
  part: Part
}

export const nameOf = ({ fault, part }: Cell) => `${fault.name}/${part}`

/** Every fault of every part that it is tried with. */
export const CELLS: readonly Cell[] = FAULTS.flatMap((fault) =>
  (Object.keys(PARTS) as Part[]).filter((part) => fault.leftOut[part] === undefined).map((part) => ({ fault, part })),
)

/** Why a fault cannot be made on this machine. */
export class Impossible extends Error {}

/** All but one part, with one reason. */
function only(part: Part, reason: string): Fault['leftOut'] {
  return Object.fromEntries(Object.keys(PARTS).flatMap((name) => (name === part ? [] : [[name, reason]])))
}

/** The process that a fault is about; the others of its kind go on. */
function processOf({ service, codecServer }: Scene, part: Part) {
  const process = {
    'codec-server': codecServer,
    api: service.apis[0],
    worker: service.workers[0],
    temporal: service.temporal,
    postgres: service.postgres,
  }
  const found = process[part as keyof typeof process]
  if (found === undefined) throw new Error(`${part} has no process.`)
  return found
}

async function freeze(scene: Scene, part: Part): Promise<() => Promise<void>> {
  const pid = processOf(scene, part).pid()
  if (pid === null) throw new Error(`${part} does not run.`)
  // The parent first, which then starts no others.
  process.kill(pid, 'SIGSTOP')
  const frozen = [pid, ...childrenOf(pid)]
  const signal = (name: NodeJS.Signals) => {
    for (const one of frozen) signalIfThere(one, name)
  }
  signal('SIGSTOP')
  return async () => signal('SIGCONT')
}

/** The processes of PostgreSQL's sessions; the other servers have none. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function endProcess(scene: Scene, part: Part, forMs: number, signal: NodeJS.Signals) {
  const processes = part === 'receiver' ? scene.receivers.all : [processOf(scene, part)]
  for (const one of processes) one.kill(forMs, signal)
  return async () => undefined
}

/** What the simulator does in place of a line to a gateway. */
const SIMULATED: Record<Trouble, Record<string, string>> = {
  reset: { fault_rate: '1', faults: 'lost' },
  slow: { delay_ms: '5000' },
  // Longer than a call is waited for: nothing is done yet when it is looked up, and is done later.
  'half-open': { hang_ms: '20000' },
  'no-route': { fault_rate: '1', faults: 'refused' },
}

/** The name of the end of a line, as the scene has it. */
const ENDS: Partial<Record<Part, string>> = { api: 'api-1', worker: 'worker-1', receiver: 'receivers' }

function line(name: Trouble, says: string): Fault {
  return {
    name,
    says,
    leftOut: { 'codec-server': UNASKED },
    async begin(scene, part) {
      const restore = part === 'gateway' ? await changeAccounts(scene, SIMULATED[name]) : null
      const end = ENDS[part] ?? part
      const disturbed = scene.lines.filter(({ ends }) => ends.includes(end))
      await Promise.all(disturbed.map((one) => one.disturb(name)))
      return async () => {
        await Promise.all(disturbed.map((one) => one.mend()))
        await restore?.()
      }
    },
  }
}

async function changeAccounts({ shops }: Scene, settings: Record<string, string>): Promise<() => Promise<void>> {
  const change = (values: Record<string, string | null>) =>
    Promise.all(
      shops
        .filter(({ gateway }) => gateway === 'simulator')
        .map(async ({ clients: [client] }) => {
          const { body } = (await client?.get('/gateway-configurations')) ?? {}
          for (const { id } of body.gateway_configurations) {
            const answer = await client?.put(`/gateway-configurations/${id}`, { settings: values })
            if (answer?.status !== 200)
              throw new Error(`The gateway cannot be changed: ${JSON.stringify(answer?.body)}`)
          }
        }),
    )
  await change(settings)
  return async () => void (await change(Object.fromEntries(Object.keys(settings).map((name) => [name, null]))))
}

async function makeReadOnly({ service }: Scene): Promise<() => Promise<void>> {
  const set = async (value: 'on' | 'off') => {
    const orm = await openDatabase(service.databaseUrl())
    try {
      const connection = orm.em.getConnection()
      await connection.execute(`alter system set default_transaction_read_only = ${value}`)
      await connection.execute('select pg_reload_conf()')
    } finally {
      await orm.close(true)
    }
  }
  await set('on')
  return () => set('off')
}

/** The time in which merchants pay and the standby falls behind. */
const FALLS_BEHIND_MS = 5_000

async function failOver({ service, folder, shutdown }: Scene, _part: Part, forMs: number) {
  const standby = await startStandby(service.databaseUrl(), join(folder, 'standby'), shutdown)
  await sleep(FALLS_BEHIND_MS, undefined, { signal: shutdown.signal })
  step(`The standby has ${await standby.unapplied()} bytes of changes that it has not applied`)
  service.postgres.kill(forMs, 'SIGKILL', standby.successor)
  return async () => undefined
}

/** Long enough to exchange its files. */
const EXCHANGE_MS = 2_000

/** What Temporal's SQLite keeps, with the log of its changes. */
const isDatabase = (name: string) => name.startsWith('temporal.db')

async function setTemporalBack(scene: Scene, part: Part): Promise<() => Promise<void>> {
  const folder = join(scene.folder, TEMPORAL_FOLDER)
  // Hanging, it writes nothing: the copy is what a crash would have left.
  const goOn = await freeze(scene, part)
  const names = (await readdir(folder)).filter(isDatabase)
  for (const name of names) await copyFile(join(folder, name), join(folder, `before.${name}`))
  await goOn()
  return async () => {
    await withoutTemporal(scene)
    for (const name of names) await copyFile(join(folder, `before.${name}`), join(folder, name))
  }
}

async function loseTemporal(scene: Scene): Promise<() => Promise<void>> {
  await withoutTemporal(scene)
  return async () => undefined
}

/** Kills Temporal and removes its database, before it is started again. */
async function withoutTemporal({ service, folder }: Scene): Promise<void> {
  service.temporal.kill(EXCHANGE_MS)
  await sleep(EXCHANGE_MS / 4)
  const files = join(folder, TEMPORAL_FOLDER)
  for (const name of (await readdir(files)).filter(isDatabase)) await rm(join(files, name))
}

async function limitMemory(scene: Scene, part: Part): Promise<() => Promise<void>> {
  scene.environment.NODE_OPTIONS = '--max-old-space-size=64'
  processOf(scene, part).kill(0)
  return async () => {
    delete scene.environment.NODE_OPTIONS
    processOf(scene, part).kill(0)
  }
}

async function replaceKeys(scene: Scene, part: Part): Promise<() => Promise<void>> {
  const file = keysFile(scene.folder)
  const keys = await readFile(file, 'utf8')
  const others = keys.replaceAll(/[A-Za-z0-9+/]{43}=/g, () => Buffer.alloc(32, 7).toString('base64'))
  await writeFile(file, others)
  return async () => {
    await writeFile(file, keys)
    processOf(scene, part).kill(0)
  }
}

/** Steps the clock of a process that runs. */
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

function clock(name: string, offset: string, says: string): Fault {
  return {
    name,
    says: `The clock of the process steps to ${says}, and back`,
    leftOut: { 'codec-server': UNASKED, temporal: NOT_OURS, postgres: NOT_OURS, gateway: INSIDE, receiver: HERE },
    async begin(scene, part) {
      if (!existsSync(FAKETIME)) throw new Impossible('Debian has the library for it in the package libfaketime')
      const file = join(scene.folder, 'clock')
      const set = (seconds: string) => writeFile(file, `${seconds}\n`)
      const restartWith = async (settings: Record<string, string | undefined>) => {
        Object.assign(scene.environment, settings)
        processOf(scene, part).kill(0)
        await scene.service.ready()
      }
      await set('+0')
      const settings = {
        LD_PRELOAD: FAKETIME,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }
      await restartWith(settings)
      await set(offset)
      return async () => {
        await set('+0')
        for (const setting of Object.keys(settings)) delete scene.environment[setting]
      }
    },
  }
}
