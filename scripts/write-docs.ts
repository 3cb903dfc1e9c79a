/** `npm run docs`: writes the pages of docs/ that are made from the code. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runWithoutOptions } from '../src/processes/command-line.ts'
import { PAGES } from './docs/pages.ts'

const ABOUT =
  'Writes the pages of docs/ that are made from the code, and into the guide of the card form the hash of its library.'

process.exitCode = await runWithoutOptions({ name: 'docs', about: ABOUT, run: writeDocs })

async function writeDocs(): Promise<void> {
  for (const [file, page] of Object.entries(PAGES)) {
    writeFileSync(new URL(`../docs/${file}`, import.meta.url), page())
    console.log(`docs/${file}`)
  }
  // Plain JavaScript, for whatever Node the machine has.
  const script = fileURLToPath(new URL('build-clients.mjs', import.meta.url))
  const { status } = spawnSync(process.execPath, [script, '--docs'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The guide of the card form was not written.')
}
