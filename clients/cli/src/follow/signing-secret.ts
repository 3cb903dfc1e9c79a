import { randomBytes } from 'node:crypto'
import { keep, readKept } from '../credentials/files.ts'
import type { Io } from '../io.ts'

const FILE = 'listen.json'

/** As long as those of webhook endpoints. */
const SECRET_BYTES = 32

/** What `listen` signs with for this project: made once, so that your server needs to be told once. */
export async function signingSecretOf(io: Io, projectId: string): Promise<string> {
  const kept = await readKept(io, FILE)
  const known = kept?.[projectId]
  if (typeof known === 'string') return known
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  await keep(io, FILE, { ...kept, [projectId]: secret })
  return secret
}
