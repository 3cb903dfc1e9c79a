/**
 * Builds the package of the command line: one file of JavaScript with all that it needs, so that it is installed in a
 * moment. Plain JavaScript, since npm runs it before it packs. `node scripts/build-cli.mjs [FOLDER]` builds into another
 * folder than `clients/cli/dist`.
 */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const CLI = fileURLToPath(new URL('../clients/cli', import.meta.url))

const outfile = join(process.argv[2] ?? join(CLI, 'dist'), 'holdfast.js')

await build({
  entryPoints: [join(CLI, 'src/holdfast.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  charset: 'utf8',
  legalComments: 'inline',
  banner: {
    js: '// With commander (Copyright (c) 2011 TJ Holowaychuk) and @bomb.sh/tab, both under MIT: its terms are in LICENSE.',
  },
  minifyWhitespace: true,
  // The configuration of the type check says nothing about the result.
  tsconfigRaw: '{}',
})
chmodSync(outfile, 0o755)
