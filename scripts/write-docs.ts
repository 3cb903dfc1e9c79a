/** `npm run docs`: writes the pages of docs/ that are made from the code. */
import { writeFileSync } from 'node:fs'
import { PAGES } from './docs/pages.ts'

for (const [file, page] of Object.entries(PAGES)) {
  writeFileSync(new URL(`../docs/${file}`, import.meta.url), page())
  console.log(`docs/${file}`)
}
