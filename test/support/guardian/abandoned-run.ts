/** A run that starts its servers, says which guardian has them, and then waits to be killed. */
import { server, startGuardian } from '../servers.ts'

const { pid } = await startGuardian()
await Promise.all([server('postgres'), server('temporal')])
process.stdout.write(`${pid}\n`)
setInterval(() => {}, 1_000)
