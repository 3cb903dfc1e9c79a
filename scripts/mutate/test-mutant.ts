/**
 * `node scripts/mutate/test-mutant.ts FILES TESTS...`, started by Stryker in its copy of the tree: runs the tests with one
 * mutant. The code has all mutants, and Stryker names one in the environment. A workflow and a page have no environment,
 * and the globals of a workflow are frozen, so the name is written into the code in place of Stryker's own switch.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'

const SWITCH = /^function stry(NS|Cov)_9fa48\(\).*?^function stryMutAct_9fa48\(id\) \{.*?^\}/ms

const [files = '', ...tests] = process.argv.slice(2)
const mutant = JSON.stringify(process.env.__STRYKER_ACTIVE_MUTANT__ ?? null)
const chosen = `function stryCov_9fa48() {}\nfunction stryMutAct_9fa48(id) {\n  return id === ${mutant}\n}`
const mutated = globSync(files).filter((file) => {
  const code = readFileSync(file, 'utf8')
  writeFileSync(file, code.replace(SWITCH, chosen))
  return code.includes(`stryMutAct_9fa48(${mutant})`)
})

// Most mutants die in the test of their own file.
const own = mutated.map((file) => `test/${file.replace(/^src\//, '').replace(/\.tsx?$/, '')}.test.ts`)
for (const paths of [own.filter((file) => existsSync(file)), tests]) {
  if (paths.length === 0) continue
  const { status } = spawnSync('npm', ['test', '--', '--bail', ...paths], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
