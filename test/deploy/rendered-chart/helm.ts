import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { obtainHelm } from './helm-program.ts'
import type { Values } from './values.ts'

const run = promisify(execFile)

/** Each helm takes the newest Kubernetes of its time for granted. */
const KUBERNETES = ['--kube-version', '1.37.0']

const CHART = fileURLToPath(new URL('../../../deploy/helm/holdfast', import.meta.url))

/** An object of Kubernetes, as it is sent to a cluster. */
export interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: a check that reads a field that is not there fails by itself.
  spec: any
}

export interface Helm {
  /** @throws Error with what helm finds fault with. */
  lint(values: Values): Promise<void>
  /** @throws Error with what helm says of values that it refuses. */
  render(values: Values): Promise<{ text: string; objects: KubernetesObject[] }>
}

/** Null on a machine without helm. */
export async function openHelm(): Promise<Helm | null> {
  const helm = await obtainHelm()
  if (helm === null) return null
  const call = async (command: readonly string[], values: Values) => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-chart-'))
    try {
      const file = join(folder, 'values.json')
      await writeFile(file, JSON.stringify(values))
      return (await run(helm, [...command, '--values', file])).stdout
    } finally {
      await rm(folder, { recursive: true })
    }
  }
  return {
    async lint(values) {
      await call(['lint', CHART, '--strict', ...KUBERNETES], values)
    },
    async render(values) {
      const text = await call(['template', 'holdfast', CHART, '--namespace', 'payments', ...KUBERNETES], values)
      return { text, objects: parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject) }
    },
  }
}
