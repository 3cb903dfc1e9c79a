/** Values of the chart, as a file of JSON. */
export type Values = Record<string, unknown>

const SETTINGS = { TEMPORAL_ADDRESS: 'temporal.internal:7233', PUBLIC_URL: 'https://pay.shop.example' }

/** Of the next version. */
export const CANARY = { replicas: 1, tag: '', digest: `sha256:${'1'.repeat(64)}` }

const namespace = (name: string) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } })
const INGRESS = namespace('ingress')
const PROMETHEUS = namespace('monitoring')
const OFFICE = { ipBlock: { cidr: '192.0.2.0/24' } }

/** What has no default. */
export const LEAST: Values = { settings: SETTINGS }

/** Every switch on. */
export const EVERYTHING: Values = {
  image: { repository: 'registry.example/holdfast', digest: `sha256:${'0'.repeat(64)}`, pullSecrets: ['registry'] },
  settings: {
    ...SETTINGS,
    TEMPORAL_NAMESPACE_LIVE: 'live.account',
    TEMPORAL_NAMESPACE_SANDBOX: 'sandbox.account',
    TEMPORAL_UI_URL: 'https://temporal.shop.example',
    SHUTDOWN_DELAY_SECONDS: '20',
    RETENTION_API_REQUESTS_DAYS: '60',
  },
  temporal: { apiKey: true, tlsSecret: 'temporal-tls' },
  api: { terminationGracePeriodSeconds: 60, podAnnotations: { 'example.com/team': 'payments' } },
  worker: { canary: CANARY, autoscaling: { enabled: true, authenticationRef: 'temporal-api-key' } },
  codecServer: { enabled: true },
  metrics: { enabled: true },
  ownerOfTables: true,
  networkPolicy: { apiFrom: [INGRESS], metricsFrom: [PROMETHEUS], codecServerFrom: [OFFICE] },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'pay.shop.example',
    tlsSecret: 'pay-tls',
    annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
  },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'payments', effect: 'NoSchedule' }],
}

/** What must be refused before anything reaches a cluster. */
export const WRONG: readonly { values: Values; why: string }[] = [
  { values: {}, why: 'no addresses' },
  { values: { settings: { ...SETTINGS, TRUSTED_PROXYS: '1' } }, why: 'a setting that there is not' },
  { values: { settings: { ...SETTINGS, DATABASE_URL: 'postgresql://…' } }, why: 'a secret among the settings' },
  { values: { settings: { ...SETTINGS, TRUSTED_PROXIES: 10 } }, why: 'a number that no process takes' },
  { values: { ...LEAST, api: { terminationGracePeriodSeconds: 30 } }, why: 'less time than an API takes to stop' },
  {
    values: { settings: { ...SETTINGS, SHUTDOWN_DELAY_SECONDS: '15' } },
    why: 'less time than an API takes to stop after its delay',
  },
  { values: { ...LEAST, codecServer: { enabled: true } }, why: 'a codec server without a UI' },
  { values: { ...LEAST, networkPolicy: { apiFrom: [{}] } }, why: 'a peer that is nobody' },
  { values: { ...LEAST, worker: { replica: 3 } }, why: 'a value that there is not' },
  { values: { ...LEAST, worker: { canary: { replicas: 1, tag: 2 } } }, why: 'a tag that is no text' },
  { values: { ...LEAST, ingress: { enabled: true } }, why: 'an ingress without a host' },
]
