import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseAllDocuments, stringify } from 'yaml'
import type { Progress } from '../../src/startup-error.ts'
import { pythonWith } from '../python-tools.ts'

const run = promisify(execFile)

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))

/** The oldest that the chart wants, as far as there are schemas of it, and the newest. */
const VERSIONS = ['1.27', '1.37']

/** What Kubernetes itself does not know, but KEDA. */
const CUSTOM = /^keda\.sh\//

export interface KubernetesSchemas {
  /** @throws Error with what does not fit the schemas; an unknown field does not either. */
  check(text: string): Promise<void>
  /** Whether the schemas find a fault that was planted. */
  provePlanted(): Promise<void>
}

/** The schemas of Kubernetes with their validator; null, said aloud, where there is no Python for it. */
export async function openKubernetesSchemas(say: Progress): Promise<KubernetesSchemas | null> {
  const python = await pythonWith('kubernetes-validate', REQUIREMENTS)
  if (python === null) {
    say('SKIPPED: the schemas of Kubernetes: there is no Python 3.11 or later with venv.')
    return null
  }
  const check = async (text: string) => {
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
  return {
    check,
    async provePlanted() {
      const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'planted' } }
      await check(stringify({ ...budget, spec: { maxUnavailable: 1 } }))
      const isFound = await check(stringify({ ...budget, spec: { maxUnavailible: 1 } })).then(
        () => false,
        () => true,
      )
      if (!isFound) throw new Error('The schemas of Kubernetes find no fault with a field that there is not.')
      say(`All of it fits the schemas of Kubernetes ${VERSIONS.join(' and ')}, which find a planted fault`)
    },
  }
}
