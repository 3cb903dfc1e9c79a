/**
 * Builds the package of the client for Node: one file of JavaScript, and types beside it. Plain JavaScript, since npm runs
 * it before it packs. `node scripts/build-node-client.mjs [FOLDER]` builds into another folder than `clients/node/dist`.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'

const CLIENT = fileURLToPath(new URL('../clients/node', import.meta.url))

const folder = process.argv[2] ?? join(CLIENT, 'dist')

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const types = spawnSync(process.execPath, [tsc, '-p', CLIENT, '--outDir', folder], { stdio: 'inherit' })
if (types.status !== 0) process.exit(1)

const { outputFiles } = await build({
  entryPoints: [join(CLIENT, 'src/index.ts')],
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  legalComments: 'none',
  minifyWhitespace: true,
  // The configuration of the type check says nothing about the result.
  tsconfigRaw: '{}',
})
// Printed again: lines that a stack trace can name, and comments in the types only.
const { code } = await transform(outputFiles[0].text, { charset: 'utf8' })
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'index.js'), code)
