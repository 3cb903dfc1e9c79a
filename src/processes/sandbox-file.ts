import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** What a person or a script on this machine needs to call the service. */
const sandboxSchema = z.object({
  base_url: z.string(),
  /** `test-proj_…`: the prefix says that the key is one of the sandbox. */
  project_id: z.string().startsWith('test-proj_'),
  secret_key: z.string().min(1),
  /** Null where it is switched off. */
  temporal_ui_url: z.string().nullable(),
  temporal_address: z.string(),
})

export type Sandbox = z.infer<typeof sandboxSchema>

function sandboxFile(dataFolder: string): string {
  return join(dataFolder, 'sandbox.json')
}

/** The file of an earlier start; undefined where there is none, or one that cannot be used. */
export async function readSandboxFile(dataFolder: string): Promise<Sandbox | undefined> {
  try {
    return sandboxSchema.parse(JSON.parse(await readFile(sandboxFile(dataFolder), 'utf8')))
  } catch {
    return undefined
  }
}

/** Replaces the file whole; it holds a secret key, so only its owner can read it. */
export async function writeSandboxFile(dataFolder: string, sandbox: Sandbox): Promise<void> {
  const unfinished = `${sandboxFile(dataFolder)}.${randomBytes(4).toString('hex')}`
  await writeFile(unfinished, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, sandboxFile(dataFolder))
}
