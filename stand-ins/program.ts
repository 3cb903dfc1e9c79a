/** `npm run stand-in -- stripe`: a gateway on this machine that misbehaves on demand. docs/stand-ins.md tells what it can. */
import { Command, InvalidArgumentError } from 'commander'
import { startAdyenStandIn } from './adyen/adyen.ts'
import { RECEIVERS } from './engine/control-port.ts'
import { startStripeStandIn } from './stripe/stripe.ts'

const STAND_INS = {
  stripe: { start: startStripeStandIn, setting: 'SANDBOX_STRIPE_URL', port: 4010 },
  adyen: { start: startAdyenStandIn, setting: 'SANDBOX_ADYEN_URL', port: 4020 },
}
type Name = keyof typeof STAND_INS

interface Options {
  port?: number
  controlPort?: number
  notify: string[]
  hurry: number
}

const names = Object.keys(STAND_INS)
const program = new Command('npm run stand-in --')
  .description('A gateway on this machine that keeps books, sends notifications, and misbehaves on demand.')
  .argument('<gateway>', `one of ${names.join(', ')}`, gatewayOf)
  .option('--port <number>', 'where the gateway is (default: 4010 for stripe, 4020 for adyen)', portOf)
  .option('--control-port <number>', 'where faults are set (default: the next one)', portOf)
  .option('--notify <url>', 'where notifications go, on this machine; may be given several times', receiversOf, [])
  .option('--hurry <times>', 'how much sooner than the gateway it sends again what was not accepted', timesOf, 1)
  .showHelpAfterError()
  .parse()
const [name] = program.processedArgs as [Name]
const { start, setting, port: usual } = STAND_INS[name]
const { port = usual, controlPort = port === 0 ? 0 : port + 1, notify, hurry } = program.opts<Options>()

try {
  const { url, controlUrl, model } = await start({ port, controlPort, notify, hurry })
  process.stdout.write(`The stand-in of ${model.name} runs. Stop it with Ctrl-C; what it has done is forgotten then.

  Gateway       ${url}
  Control port  ${controlUrl}

The service sends payments of the sandbox there when it is started with
  ${setting}=${url}
and a project has this account (. examples/sandbox.sh says which):
  curl -sS -u $KEY $HOLDFAST/gateways/${name}/gateway-configurations -H 'Content-Type: application/json' \\
    -d '${JSON.stringify({ name: `Stand-in of ${model.name}`, default_currency: 'EUR', ...model.account })}'

The answer to every tenth capture is lost:
  curl -sS -X PUT ${controlUrl}/faults -d '{"name": "reset-after", "on": "capture", "share": 0.1, "seed": 7}'
What it has done, by our references:
  curl -sS ${controlUrl}/ledger
`)
} catch (error) {
  process.stderr.write(`The stand-in did not start: ${(error as Error).message}.\n`)
  process.exitCode = 1
}

function gatewayOf(text: string): Name {
  if (!names.includes(text)) throw new InvalidArgumentError(`There are ${names.join(' and ')}.`)
  return text as Name
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('It takes a port, 0 for any free one.')
  return port
}

function receiversOf(text: string, before: string[]): string[] {
  if (!RECEIVERS.safeParse([text]).success) throw new InvalidArgumentError('It takes an http address of this machine.')
  return [...before, text]
}

function timesOf(text: string): number {
  const times = Number(text)
  if (!(times >= 1)) throw new InvalidArgumentError('It takes a number, 1 or more.')
  return times
}
