/** `npm run admin -- <command>`: what an operator does on servers that are not embedded. */
import { parseArgs } from 'node:util'
import { StartupError } from '../src/embedded/startup-error.ts'
import { runScript } from '../src/processes/run-script.ts'
import type { AdminCommand } from './admin/command.ts'
import { acknowledgePayment, listUnresolvedPayments, resolvePayment } from './admin/payments.ts'
import { createNamedProject, setProjectOption } from './admin/projects.ts'

const COMMANDS: readonly AdminCommand[] = [
  createNamedProject,
  setProjectOption,
  listUnresolvedPayments,
  resolvePayment,
  acknowledgePayment,
]

const HELP = `Usage: npm run admin -- COMMAND

${COMMANDS.map(({ usage, help }) => `  ${usage}\n      ${help.replaceAll('\n', '\n      ')}`).join('\n\n')}

Beside a running npm start nothing needs to be set. Otherwise it needs DATABASE_URL, to resolve and acknowledge payments
TEMPORAL_ADDRESS as well, and for projects create the keys of the service in the environment or in DATA_DIR/keys.json.`

await runScript(async (say) => {
  const { positionals, help, gatewayOperationId } = parseCommandLine()
  if (help) {
    say(HELP)
    return
  }
  const [subject, verb, ...operands] = positionals
  const command = COMMANDS.find(({ name }) => name === `${subject} ${verb}`)
  if (command === undefined || operands.length !== command.operands) throw new StartupError(HELP)
  await command.run(operands, { say, gatewayOperationId })
})

function parseCommandLine() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        'gateway-operation-id': { type: 'string' },
      },
    })
    return { positionals, help: values.help, gatewayOperationId: values['gateway-operation-id'] ?? null }
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n\n${HELP}`, { cause: error })
  }
}
