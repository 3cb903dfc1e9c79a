import { type Environment, environmentOf } from '../../domain/environment.ts'
import type { Permission } from '../../domain/permission.ts'
import type { Orm } from '../persistence/orm.ts'
import type { AdmittedReading, FoundRow } from '../persistence/queries/lists/list-entity.ts'
import { execute } from '../persistence/statements.ts'
import { type AdmittedProject, type ProjectColumns, projectOf, type Usage, type UsageRow, usageOf } from './buckets.ts'

/** The secret key of a request, with the usage of its limit. */
export interface AdmittedKey extends AdmittedProject {
  environment: Environment
  sandbox: boolean
  apiKeyId: string
  secretHash: string
  permissions: readonly Permission[]
  usage: Usage
}

interface KeyRow extends ProjectColumns, UsageRow {
  /** The position of the request in its batch, from 1. */
  place: number
  api_key_id: string
  sandbox: boolean
  secret_hash: string
  permissions: Permission[]
}

export interface KeyQuestion {
  projectId: string
  secretHash: string
  /** True where the caller names the sandbox, so that a live key is wrong. */
  meansSandbox: boolean
  /** True for the routes under the secondary limit. */
  isSecondary: boolean
}

/** Admits requests of one key: `$4` is true for the secondary limit, `$5` is the number of requests. */
const ADMIT_KEY = 'select row_to_json(admitted) as key from admit_requests($1, $2, $3, $4, $5) admitted'

/** Requests admitted by one statement. While it runs, the key's requests in other processes wait for the bucket row. */
const TOGETHER_MAX = 32

/** After this time the statement's connection hangs or waits for a lock; later requests get another statement. */
const PATIENCE_MS = 250

/**
 * @param reading a row to read in the same statement for an admitted request.
 * @returns null where no key of the project has that hash, or it was revoked; then nothing was counted.
 */
export type AdmitKey = (question: KeyQuestion, reading?: AdmittedReading | null) => Promise<Admission | null>

export type Admission = AdmittedKey & { found: FoundRow | null }

interface Answer {
  key: KeyRow
  found?: FoundRow | null
}

interface Waiting {
  /** The id of the row to read, if any. */
  id: string | undefined
  resolve(admission: Promise<Admission | null>): void
}

/**
 * Finds the secret key of a request and takes the request from its bucket, in one statement. All processes share the bucket
 * row, so limit, revocation and suspension apply from the next request on.
 *
 * Requests with the same question that arrive while one is being admitted share the next statement, and are still counted
 * one by one. Otherwise each would wait for the bucket row on a connection of its own. A statement always starts after the
 * requests that it admits have arrived.
 */
export function createKeyAdmission(orm: Orm): AdmitKey {
  const queues = new Map<string, Waiting[]>()

  return (question, reading = null) => {
    const { projectId, secretHash, meansSandbox, isSecondary } = question
    const statement = reading?.statement ?? ADMIT_KEY
    const name = `${statement} ${projectId} ${secretHash} ${meansSandbox} ${isSecondary}`
    return new Promise((resolve) => {
      const waiting = { id: reading?.id, resolve }
      const queue = queues.get(name)
      if (queue === undefined) {
        const begun = [waiting]
        queues.set(name, begun)
        admitNext(name, begun, question, statement)
      } else queue.push(waiting)
    })
  }

  function admitNext(name: string, queue: Waiting[], question: KeyQuestion, statement: string): void {
    const together = queue.splice(0, TOGETHER_MAX)
    if (together.length === 0) {
      queues.delete(name)
      return
    }
    const answers = admitTogether(orm, question, statement, together)
    let isNextBegun = false
    const beginNext = () => {
      if (isNextBegun) return
      isNextBegun = true
      clearTimeout(patience)
      admitNext(name, queue, question, statement)
    }
    const patience = setTimeout(beginNext, PATIENCE_MS)
    // Before the requests go on, so that the database admits the next ones while these are answered.
    answers.then(beginNext, beginNext)
    for (const [index, { resolve }] of together.entries()) resolve(answers.then((all) => all[index] ?? null))
  }
}

/** In the order of the requests; a request that was not admitted has no element. */
async function admitTogether(
  orm: Orm,
  { projectId, secretHash, meansSandbox, isSecondary }: KeyQuestion,
  statement: string,
  together: readonly Waiting[],
): Promise<Admission[]> {
  const asked = statement === ADMIT_KEY ? together.length : together.map(({ id }) => id)
  const values = [projectId, secretHash, meansSandbox, isSecondary, asked]
  const admissions: Admission[] = []
  for (const { key, found = null } of await execute<Answer>(orm, statement, values)) {
    admissions[key.place - 1] = admissionOf(key, found)
  }
  return admissions
}

function admissionOf(key: KeyRow, found: FoundRow | null): Admission {
  return {
    ...projectOf(key),
    environment: environmentOf(key.sandbox),
    sandbox: key.sandbox,
    apiKeyId: key.api_key_id,
    secretHash: key.secret_hash,
    permissions: key.permissions,
    usage: usageOf(key),
    found,
  }
}
