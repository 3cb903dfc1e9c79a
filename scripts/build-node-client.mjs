/**
 * Builds the package of the client for Node. Plain JavaScript, since npm runs it before it packs.
 * `node scripts/build-node-client.mjs [FOLDER]` builds into another folder than `clients/node/dist`.
 *
 * The client is CommonJS, with an ES module in front of it, so that a program that has loaded it in both ways has one
 * `DeclinedError`. What verifies webhooks on the web stands alone, and is built in both forms.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'

const CLIENT = fileURLToPath(new URL('../clients/node', import.meta.url))

const folder = process.argv[2] ?? join(CLIENT, 'dist')
const write = (name, text) => writeFileSync(join(folder, name), text)

/** The types of a program that takes CommonJS; compilers of before TypeScript 5 know no import of `.ts`. */
function writeTypes() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', CLIENT, '--outDir', folder], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.d.ts'))
  for (const name of names)
    write(name, readFileSync(join(folder, name), 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}

async function codeOf(entry, platform, format) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(CLIENT, `src/${entry}.ts`)],
    bundle: true,
    write: false,
    metafile: true,
    platform,
    format,
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    minifyWhitespace: true,
    // The configuration of the type check says nothing about the result.
    tsconfigRaw: '{}',
  })
  // Printed again: lines that a stack trace can name, and comments in the types only.
  const { code } = await transform(outputFiles[0].text, { charset: 'utf8' })
  return { code, metafile }
}

writeTypes()
write('package.json', '{ "type": "commonjs", "sideEffects": false }\n')

const { code } = await codeOf('index', 'node', 'cjs')
const { metafile } = await codeOf('index', 'node', 'esm')
const names = Object.values(metafile.outputs)[0].exports
// Never run: it tells Node which names an ES module may import from here.
write('index.js', `${code}0 && (module.exports = { ${names.join(', ')} })\n`)
write('index.mjs', `export {\n${names.map((name) => `  ${name},\n`).join('')}} from './index.js'\n`)
write('webhooks-web.js', (await codeOf('webhooks-web', 'neutral', 'cjs')).code)
write('webhooks-web.mjs', (await codeOf('webhooks-web', 'neutral', 'esm')).code)
for (const entry of ['index', 'webhooks-web']) write(`${entry}.d.mts`, `export * from './${entry}.js'\n`)
