import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { openDatabase, tablesMayBeOutdated } from '../database/open-database.ts'
import { checkKeysOf, findForeignKeys, foreignKeysSentence } from '../keys/key-check.ts'
import { addNextKey, hasNextKey, makeNextKeyCurrent, removeKey, restoreKey } from '../keys/key-rotation.ts'
import { readKeys } from '../keys/process-keys.ts'
import {
  countEncrypted,
  type EncryptedCount,
  encryptedWithOthers,
  findUndecryptable,
  inWords,
  type ReencryptionProgress,
  reencryptAll,
} from '../keys/re-encryption.ts'
import { MAINTENANCE_LIMITS } from '../persistence/limits.ts'
import type { EntityManager, Orm } from '../persistence/orm.ts'
import { recordAct } from '../persistence/queries/audit/record-act.ts'
import { deleteKeyProofs } from '../persistence/queries/encrypted/service-keys.ts'
import { numberFrom } from '../processes/command-line.ts'
import { StartupError } from '../startup-error.ts'
import { RING_NAMES, ringKeyName } from '../vault/key-proofs.ts'
import type { KeyRing, Keys } from '../vault/keys.ts'
import { createVault } from '../vault/vault.ts'
import { defineCommand } from './command.ts'
import { readAdminConfig } from './configuration.ts'
import { formatTable } from './table.ts'

/** Processes look at the file every two seconds; five looks leave a slow one its time. */
const WAIT_S = 10
/** Long enough for one look. */
const WAIT_MIN_S = 3
const WAIT_MAX_S = 3600

/** Of the session that rotates or retires, so that no other does at the same time. Any number that nobody else takes. */
const ADVISORY_LOCK = 4_810_273_553

/** How often progress is told. */
const REPORT_EVERY_MS = 1_000

const CODEC_SERVER_NEEDS_IT =
  'A codec server with a copy of PAYLOAD_KEYS needs the new key: npm run keys -- --payload-keys FILE, then restart it.'

const WAIT_OPTION = [
  '--wait <SECONDS>',
  'until every process has read the keys',
  numberFrom(WAIT_MIN_S, WAIT_MAX_S),
] as const

interface Rotation {
  config: Config
  orm: Orm
  say: (line: string) => void
  actor: string
  waitMs: number
}

export const keysStatusCommand = defineCommand({
  name: 'encryption-keys status',
  summary: 'Shows the keys that encrypt, and how much is encrypted with each; where one is missing, it ends with 1.',
  run: (_, { say, actor }) =>
    withRotation({ say, actor, wait: undefined, exclusive: false }, async ({ config, orm }) => {
      const keys = await readKeys(config)
      const counts = await countEncrypted(orm.em.fork())
      say(keyTable(keys, counts))
      const missing = missingIn(keys, counts)
      if (missing.length > 0) throw new StartupError(`Keys are missing: ${needs(missing)}.`)
      const foreign = await findForeignKeys(orm.em.fork(), keys)
      if (foreign.length > 0) throw new StartupError(foreignKeysSentence(foreign))
    }),
})

export const rotateKeysCommand = defineCommand<{ wait?: number }>({
  name: 'encryption-keys rotate',
  summary: 'Makes a new key for what is encrypted, and encrypts everything with it. Nothing needs to stop or restart.',
  details: `The keys of DATA_DIR/keys.json get a new one, which every process on that folder has read after ${WAIT_S} seconds (--wait, ${WAIT_MIN_S} to \
${WAIT_MAX_S}); then it becomes current, and what is encrypted with others is encrypted with it. Interrupted, it goes on \
where it was when it is run again. With keys in the environment it only does the last part: docs/keys.md tells what comes before.`,
  options: [WAIT_OPTION],
  run: (_, { say, actor, values: { wait } }) => withRotation({ say, actor, wait, exclusive: true }, rotate),
})

export const retireKeyCommand = defineCommand<{ wait?: number }>({
  name: 'encryption-keys retire',
  operands: '<KEY_ID>',
  summary: 'Removes an unused key from DATA_DIR/keys.json.',
  details:
    'Refused while anything is encrypted with it, histories in Temporal included. Backups of the database from before its rotation need it still.',
  options: [WAIT_OPTION],
  run: ([keyId = ''], { say, actor, values: { wait } }) =>
    withRotation({ say, actor, wait, exclusive: true }, (rotation) => retire(rotation, keyId)),
})

async function rotate(rotation: Rotation): Promise<void> {
  const { config, orm, say } = rotation
  const keys = await readKeys(config)
  const counts = await countEncrypted(orm.em.fork())
  await refuseWrongKeys(orm, keys, counts)
  await checkKeysOf(orm, keys)
  const left = encryptedWithOthers(createVault(keys), counts)
  if (config.keys === undefined) {
    if (left.length > 0 && !(await hasNextKey(config.dataFolder)))
      say('The rotation before this one is not finished. It continues; no new key is made.')
    else await exchangeKeys(rotation, keys)
  } else if (left.length > 0) {
    await orm.em.fork().transactional((em) => recordRotation(em, rotation, keys.cardNumber.current, left))
  }
  await reencrypt(rotation, await readKeys(config))
  if (config.keys === undefined) say(CODEC_SERVER_NEEDS_IT)
}

/** First every process knows the new key, then it becomes current: so all can decrypt at any time what one encrypts. */
async function exchangeKeys({ config, orm, say, actor, waitMs }: Rotation, before: Keys): Promise<void> {
  const keyId = await addNextKey(config.dataFolder)
  await checkKeysOf(orm, await readKeys(config))
  say(`Added the key ${keyId}. Waiting ${waitMs / 1000} s until every process knows it.`)
  await sleep(waitMs)
  await orm.em.fork().transactional(async (em) => {
    const replaced = ringsOf(before).map(({ current }) => ({ keyId: current }))
    await recordRotation(em, { actor }, keyId, replaced)
    await makeNextKeyCurrent(config.dataFolder)
  })
  say(`${keyId} is current. Waiting ${waitMs / 1000} s until every process encrypts with it.`)
  await sleep(waitMs)
}

function recordRotation(
  em: EntityManager,
  { actor }: Pick<Rotation, 'actor'>,
  keyId: string,
  replaced: readonly Pick<EncryptedCount, 'keyId'>[],
): Promise<void> {
  const facts = { key_id: keyId, replaced_key_ids: [...new Set(replaced.map(({ keyId: id }) => id))] }
  return recordAct(em, { ...SERVICE, kind: 'keys.rotated', actor, facts })
}

async function reencrypt({ orm, say }: Rotation, keys: Keys): Promise<void> {
  const vault = createVault(keys)
  const broken = await reencryptAll({ orm, vault }, reportNowAndThen(say))
  const counts = await countEncrypted(orm.em.fork())
  say(keyTable(keys, counts))
  const left = encryptedWithOthers(vault, counts)
  if (broken.length > 0)
    throw new StartupError(
      `${broken.length} could not be opened and stay as they are:\n${broken.slice(0, 20).join('\n')}`,
    )
  if (left.length > 0)
    throw new StartupError(
      `Something still encrypts with another key: ${describe(left)}. Make sure that every process has the same keys, then run this again.`,
    )
  const old = idsOf(keys).filter((id) => !isCurrent(keys, id))
  say(`Everything is encrypted with the current keys.`)
  if (old.length > 0)
    say(
      `The database does not need ${old.join(', ')} any more; backups from before do, and so do histories in Temporal from before. To remove: npm run admin -- encryption-keys retire KEY_ID`,
    )
}

async function retire({ config, orm, say, actor, waitMs }: Rotation, keyId: string): Promise<void> {
  const keys = await readKeys(config)
  if (!idsOf(keys).includes(keyId)) throw new StartupError(`There is no key ${keyId}.`)
  await checkKeysOf(orm, keys)
  if (isCurrent(keys, keyId))
    throw new StartupError(`${keyId} is a current key. Rotate first: npm run admin -- encryption-keys rotate`)
  const needing = async () => (await countEncrypted(orm.em.fork())).filter((count) => count.keyId === keyId)
  const needed = await needing()
  if (needed.length > 0)
    throw new StartupError(
      `${keyId} is needed for ${describe(needed)}. Run npm run admin -- encryption-keys rotate to the end first.`,
    )
  const whyItStays = keys.payload.keys.has(keyId) ? await whyPayloadKeyStays(config, orm, keyId) : null
  const rings = RING_NAMES.filter((name) => whyItStays === null || name !== 'PAYLOAD_KEYS')
  if (whyItStays !== null && ![keys.cardNumber, keys.securityCode].some((ring) => ring.keys.has(keyId)))
    throw new StartupError(whyItStays)
  const proofs = rings.map((name) => ringKeyName(name, keyId))
  if (config.keys !== undefined) {
    await deleteKeyProofs(orm.em.fork(), proofs)
    say(`Nothing needs ${keyId} in ${rings.join(', ')} any more. Remove it from the environment of every process.`)
    if (whyItStays !== null) say(whyItStays)
    return
  }
  if (await hasNextKey(config.dataFolder))
    throw new StartupError('A rotation has begun. Run npm run admin -- encryption-keys rotate to the end first.')
  const removed = await orm.em.fork().transactional(async (em) => {
    await recordAct(em, { ...SERVICE, kind: 'keys.retired', actor, facts: { key_id: keyId } })
    await deleteKeyProofs(em, proofs)
    return removeKey(config.dataFolder, keyId, rings)
  })
  say(`Removed ${keyId}. Waiting ${waitMs / 1000} s to see that no process has encrypted with it.`)
  await sleep(waitMs)
  const late = await needing()
  if (late.length > 0) {
    await restoreKey(config.dataFolder, removed)
    await checkKeysOf(orm, await readKeys(config))
    throw new StartupError(
      `A process has still encrypted with ${keyId}: ${describe(late)}. The key is back. Restart that process, then rotate again.`,
    )
  }
  say(`${keyId} is retired. Backups of the database from before its rotation need the keys of that time.`)
  if (whyItStays !== null) say(whyItStays)
}

/** Loading Temporal's client takes longer than most commands do, so it is loaded where it is needed. */
async function whyPayloadKeyStays(config: Config, orm: Orm, keyId: string): Promise<string | null> {
  const payloadKey = await import('./payload-key.ts')
  return payloadKey.whyPayloadKeyStays(config, orm, keyId)
}

const SERVICE = { projectId: null, sandbox: null } as const

/** Finds out before anything is changed that these are not the keys of this database. */
async function refuseWrongKeys(orm: Orm, keys: Keys, counts: readonly EncryptedCount[]): Promise<void> {
  const missing = missingIn(keys, counts)
  if (missing.length > 0) throw new StartupError(`Keys are missing: ${needs(missing)}. Nothing was changed.`)
  const unopened = await findUndecryptable({ orm, vault: createVault(keys) }, counts)
  if (unopened.length > 0)
    throw new StartupError(`These are not the keys of this database: ${unopened.join(' ')} Nothing was changed.`)
}

function missingIn(keys: Keys, counts: readonly EncryptedCount[]): EncryptedCount[] {
  return counts.filter(({ kind, keyId }) => !ringOf(keys, kind).keys.has(keyId))
}

const needs = (counts: readonly EncryptedCount[]) =>
  counts.map((one) => `${inWords(one)} ${one.count === 1 ? 'needs' : 'need'} ${one.keyId}`).join(', ')

function ringOf({ cardNumber, securityCode }: Keys, kind: EncryptedCount['kind']): KeyRing {
  return kind === 'security code' ? securityCode : cardNumber
}

function ringsOf({ cardNumber, securityCode, payload }: Keys): KeyRing[] {
  return [cardNumber, securityCode, payload]
}

function idsOf(keys: Keys): string[] {
  return [...new Set(ringsOf(keys).flatMap((ring) => [...ring.keys.keys()]))]
}

function isCurrent(keys: Keys, id: string): boolean {
  return ringsOf(keys).some(({ current }) => current === id)
}

/**
 * Each key of each ring with what it holds; of what needs a key that is in no ring, that it is missing. What is encrypted in
 * Temporal is not counted.
 */
function keyTable(keys: Keys, counts: readonly EncryptedCount[]): string {
  const rows = (['security code', 'card number'] as const).flatMap((kind) => {
    const ring = ringOf(keys, kind)
    const ofRing = counts.filter((count) => ringOf(keys, count.kind) === ring)
    const ids = new Set([...ring.keys.keys(), ...ofRing.map(({ keyId }) => keyId)])
    return [...ids].map((id) => {
      const state = ring.current === id ? 'current' : ring.keys.has(id) ? 'known' : 'MISSING'
      const held = describe(ofRing.filter(({ keyId }) => keyId === id))
      return [id, kind === 'security code' ? 'SECURITY_CODE_KEYS' : 'CARD_NUMBER_KEYS', state, held]
    })
  })
  const payloadRows = [...keys.payload.keys.keys()].map((id) => [
    id,
    'PAYLOAD_KEYS',
    keys.payload.current === id ? 'current' : 'known',
    'payloads in Temporal',
  ])
  return formatTable(['KEY', 'RING', 'STATE', 'ENCRYPTED'], [...rows.reverse(), ...payloadRows])
}

function describe(counts: readonly EncryptedCount[]): string {
  return counts.map(inWords).join(', ') || 'nothing'
}

function reportNowAndThen(say: (line: string) => void): (progress: ReencryptionProgress) => void {
  let reportedAt = 0
  return ({ what, done, total }) => {
    const now = performance.now()
    if (done < total && now - reportedAt < REPORT_EVERY_MS) return
    reportedAt = now
    say(`${what}: ${done} of ${total}`)
  }
}

interface RotationOptions {
  say: (line: string) => void
  actor: string
  wait: number | undefined
  exclusive: boolean
}

async function withRotation(
  { say, actor, wait = WAIT_S, exclusive }: RotationOptions,
  work: (rotation: Rotation) => Promise<void>,
) {
  const config = readAdminConfig({ servers: ['databaseUrl'], keys: true })
  const orm = await openDatabase(config.databaseUrl, MAINTENANCE_LIMITS)
  try {
    const release = exclusive ? await lock(orm) : () => undefined
    try {
      await work({ config, orm, say, actor, waitMs: wait * 1000 }).catch(tablesMayBeOutdated)
    } finally {
      release()
    }
  } finally {
    await orm.close(true)
  }
}

/** For the session, and not for a transaction: one that stays open holds up the list of events. */
async function lock(orm: Orm): Promise<() => void> {
  const pool = await orm.driver.getConnection().getNativeClient()
  const client = await pool.connect()
  const { rows } = await client.query(`select pg_try_advisory_lock(${ADVISORY_LOCK}) as held`)
  // The lock goes with its connection.
  const release = () => client.release(true)
  if (rows[0]?.held === true) return release
  release()
  throw new StartupError('Another process is rotating or retiring keys.')
}
