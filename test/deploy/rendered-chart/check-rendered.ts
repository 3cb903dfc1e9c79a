import assert from 'node:assert/strict'
import type { KubernetesObject } from './helm.ts'
import { CANARY } from './values.ts'

/** Both parts that run for ever, by the port that they answer for their health on. */
const PARTS = { api: 'PORT', worker: 'WORKER_HEALTH_PORT' } as const

/** What the scaler of KEDA takes, https://keda.sh/docs/2.22/scalers/temporal/ */
const SCALER_FIELDS = ['endpoint', 'namespace', 'taskQueue', 'queueTypes', 'targetQueueSize']

/**
 * Holds rendered objects to what production needs, beyond what schemas say.
 *
 * @throws AssertionError with the first that does not hold.
 */
export function checkRendered(objects: readonly KubernetesObject[]): void {
  const find = (kind: string, name: string): KubernetesObject => {
    const found = objects.find((object) => object.kind === kind && object.metadata.name === name)
    assert(found, `There is no ${kind} ${name}.`)
    return found
  }
  for (const part of Object.keys(PARTS) as (keyof typeof PARTS)[]) checkPart(part, find)

  const migration = find('Job', 'holdfast-migrate')
  assert.equal(migration.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
  checkPod(migration.spec.template.spec)
  checkMigration(migration.spec.template.spec)
  assert.deepEqual(migration.spec.template.spec.containers[0].command, ['node', 'src/migrate.ts'])

  const audit = find('CronJob', 'holdfast-audit').spec.jobTemplate.spec.template.spec
  checkPod(audit)
  assert.deepEqual(audit.containers[0].command, ['node', 'src/admin.ts', 'audit', 'verify'])

  const codecServer = objects.find(
    ({ kind, spec }) => kind === 'Deployment' && spec.template.spec.containers[0].name === 'codec-server',
  )
  if (codecServer !== undefined) checkCodecServer(codecServer, find('Service', 'holdfast-codec-server'))
  checkVersions(objects, migration)
  checkNetwork(objects)

  const scaled = objects.find(({ kind }) => kind === 'ScaledObject')
  if (scaled !== undefined) checkScaled(scaled)
}

function checkPart(part: keyof typeof PARTS, find: (kind: string, name: string) => KubernetesObject): void {
  const { spec } = find('Deployment', `holdfast-${part}`)
  const pod = spec.template.spec
  const [container] = pod.containers
  checkPod(pod)
  assert.deepEqual(container.command, ['node', `src/${part}.ts`])
  const port = container.env.find(({ name }: { name: string }) => name === PARTS[part])?.value
  assert.equal(Number(port), container.ports[0].containerPort, `${part} answers on another port than is asked.`)
  assert.equal(container.livenessProbe.httpGet.path, '/health/live')
  assert.equal(container.readinessProbe.httpGet.path, '/health/ready')
  assert(container.resources.requests.cpu && container.resources.limits.memory)
  const metricsPort = container.env.find(({ name }: { name: string }) => name === 'METRICS_PORT')?.value
  const exposed = container.ports.find(({ name }: { name: string }) => name === 'metrics')?.containerPort
  const scraped = spec.template.metadata.annotations?.['prometheus.io/port']
  assert.deepEqual([String(exposed), scraped], [String(metricsPort), metricsPort], `${part} has metrics elsewhere.`)
  assert.equal(pod.topologySpreadConstraints.length, 2)
  assert.deepEqual(spec.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 })
  const budget = find('PodDisruptionBudget', `holdfast-${part}`)
  const labels = spec.template.metadata.labels as Record<string, string>
  for (const [name, value] of Object.entries(budget.spec.selector.matchLabels))
    assert.equal(labels[name], value, `The disruption budget of ${part} is of other pods.`)
  assert.deepEqual(budget.spec.selector, spec.selector)
}

/** It has the keys and tokens that it needs, and nothing else of the Secret. */
function checkCodecServer({ spec }: KubernetesObject, service: KubernetesObject): void {
  const pod = spec.template.spec
  const [container] = pod.containers
  checkRights(pod)
  assert.deepEqual(container.command, ['node', 'src/codec-server.ts'])
  const port = container.env.find(({ name }: { name: string }) => name === 'CODEC_SERVER_PORT')?.value
  assert.equal(
    Number(port),
    container.ports[0].containerPort,
    'The codec server answers on another port than is asked.',
  )
  assert.deepEqual(service.spec.selector, spec.selector.matchLabels)
  const [{ secret }] = pod.volumes
  const needed = ['PAYLOAD_KEYS', 'CODEC_DEVELOPER_TOKEN', 'CODEC_SUPPORT_TOKEN']
  assert.deepEqual(
    secret.items.map(({ key }: { key: string }) => key),
    needed,
  )
  const files = container.env.map(({ name }: { name: string }) => name).filter((name: string) => name.endsWith('_FILE'))
  assert.deepEqual(
    files,
    needed.map((name) => `${name}_FILE`),
  )
}

/** Workers take work by themselves but for those of a canary, whose image migrates. */
function checkVersions(objects: readonly KubernetesObject[], migration: KubernetesObject): void {
  const workers = objects.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name.includes('-worker'))
  const rollouts = workers.map(({ metadata, spec }) => {
    const [{ env }] = spec.template.spec.containers
    return [metadata.name, env.find(({ name }: { name: string }) => name === 'WORKER_ROLLOUT')?.value]
  })
  const canary = workers.find(({ metadata }) => metadata.name === 'holdfast-worker-canary')
  const canaryRollout = canary === undefined ? [] : [['holdfast-worker-canary', 'manual']]
  assert.deepEqual(rollouts, [['holdfast-worker', 'automatic'], ...canaryRollout])
  const imageOf = (object: KubernetesObject | undefined) => object?.spec.template.spec.containers[0].image
  assert.equal(imageOf(migration), imageOf(canary ?? workers[0]))
  if (canary === undefined) return
  checkPod(canary.spec.template.spec)
  assert(imageOf(canary).endsWith(CANARY.digest) && imageOf(canary) !== imageOf(workers[0]))
}

/** It has the address of the database, and no key. */
function checkMigration({ volumes, containers: [container] }: KubernetesObject['spec']): void {
  const items = volumes[0].secret.items as { key: string; path: string }[]
  assert.deepEqual(
    items.filter(({ path }) => path !== 'TEMPORAL_API_KEY').map(({ path }) => path),
    ['DATABASE_URL'],
  )
  assert(/^(?:OWNER_)?DATABASE_URL$/.test(items[0]?.key ?? ''))
  const files = container.env.map(({ name }: { name: string }) => name).filter((name: string) => name.endsWith('_FILE'))
  assert.deepEqual(
    files,
    items.map(({ path }) => `${path}_FILE`),
  )
}

/** Each pod has a policy of its own, by which only named ports are reached, and the codec server reaches nobody. */
function checkNetwork(objects: readonly KubernetesObject[]): void {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy')
  for (const { kind, metadata, spec } of objects) {
    if (kind !== 'Deployment' && kind !== 'Job') continue
    const labels = spec.template.metadata.labels as Record<string, string>
    const own = policies.filter(({ spec: { podSelector } }) =>
      Object.entries(podSelector.matchLabels).every(([name, value]) => labels[name] === value),
    )
    assert.equal(own.length, 1, `${metadata.name} has ${own.length} policies.`)
    const [policy] = own as [KubernetesObject]
    assert.deepEqual(policy.spec.policyTypes, ['Ingress', 'Egress'])
    const known = (spec.template.spec.containers[0].ports ?? []).map(({ name }: { name: string }) => name)
    const opened = policy.spec.ingress.flatMap(({ ports }: { ports: { port: string }[] }) => ports)
    for (const { port } of opened) assert(known.includes(port), `${metadata.name} has no port ${port}.`)
    const isCodecServer = metadata.name.endsWith('codec-server')
    const isApi = metadata.name.endsWith('-api')
    for (const { ports, from } of policy.spec.ingress)
      assert(from !== undefined || (isApi && ports[0].port === 'http'), `Anybody reaches ${metadata.name}.`)
    if (isCodecServer) assert.deepEqual(policy.spec.egress, [])
    else
      for (const { ipBlock } of policy.spec.egress[0].to)
        assert(
          ipBlock === undefined || ipBlock.except.length > 0,
          `${metadata.name} reaches the credentials of its cloud.`,
        )
  }
}

/** Of a process that takes payments. */
function checkPod(pod: KubernetesObject['spec']): void {
  checkRights(pod)
  const names = pod.containers[0].env.map(({ name }: { name: string }) => name)
  assert(names.includes('DATABASE_URL_FILE'))
}

/** Without rights, on a file system for reading, with secrets as files. */
function checkRights(pod: KubernetesObject['spec']): void {
  assert.equal(pod.securityContext.runAsNonRoot, true)
  assert.equal(pod.automountServiceAccountToken, false)
  const [container] = pod.containers
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const mounted = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
  const env = container.env as { name: string; value: string }[]
  assert.equal(new Set(env.map(({ name }) => name)).size, env.length, 'A variable is there twice.')
  for (const { name, value } of env)
    if (/_(FILE|PATH)$/.test(name))
      assert(
        mounted.some((path: string) => value.startsWith(`${path}/`)),
        `${name} names a file that is not mounted.`,
      )
}

/** Each queue of each environment once. */
function checkScaled({ spec }: KubernetesObject): void {
  const triggers = spec.triggers as { type: string; metadata: Record<string, string> }[]
  const [ofCpu, ...ofQueues] = triggers
  assert.deepEqual(ofCpu, { type: 'cpu', metricType: 'Utilization', metadata: { value: '60' } })
  const queues = ofQueues.map(({ metadata }) => `${metadata.namespace} ${metadata.taskQueue}`)
  assert.equal(new Set(queues).size, 4)
  for (const { type, metadata } of ofQueues) {
    assert.equal(type, 'temporal')
    assert.deepEqual(Object.keys(metadata).toSorted(), SCALER_FIELDS.toSorted())
  }
}
