import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseAllDocuments, stringify } from 'yaml'
import { pythonWith } from '../../../scripts/python-tools.ts'

const run = promisify(execFile)

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))

/** The oldest that the chart wants, as far as there are schemas of it, and the newest. */
const VERSIONS = ['1.27', '1.37']

/** What Kubernetes itself does not know, but KEDA. */
const CUSTOM = /^keda\.sh\//

/** Holds objects to the schemas of Kubernetes. @throws Error with what does not fit; an unknown field does not either. */
export type CheckSchemas = (text: string) => Promise<void>

/** The schemas of Kubernetes with their validator; null where there is no Python for it. */
export async function openKubernetesSchemas(): Promise<CheckSchemas | null> {
  const python = await pythonWith('kubernetes-validate', REQUIREMENTS)
  if (python === null) return null
  return async (text) => {
    const own = parseAllDocuments(text)
      .map((document) => document.toJS() as { apiVersion: string })
      .filter(({ apiVersion }) => !CUSTOM.test(apiVersion))
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-kubernetes-'))
    try {
      const file = join(folder, 'objects.yaml')
      await writeFile(file, own.map((one) => stringify(one)).join('---\n'))
      for (const version of VERSIONS)
        await run(python, ['-m', 'kubernetes_validate', '--strict', '--quiet', '-k', version, file])
    } finally {
      await rm(folder, { recursive: true })
    }
  }
}
