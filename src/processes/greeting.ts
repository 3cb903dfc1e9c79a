import type { Sandbox } from './sandbox.ts'

/** What a person sees when everything runs: where it is, how to get in, and a first payment to paste. */
export function greeting(sandbox: Sandbox): string {
  const { temporal_ui_url: ui, dashboard_email: email, dashboard_password: password } = sandbox
  return `
  API           ${sandbox.base_url}
  Reference     ${sandbox.base_url}/docs
  Dashboard     ${sandbox.base_url}/dashboard/
                ${email}, password ${password ?? 'as you have chosen it'}
  Temporal UI   ${ui === null ? 'off' : `${ui}/namespaces/sandbox/workflows`}
  Project id    ${sandbox.project_id}
  Secret key    ${sandbox.secret_key}
  Sample data   npm run sample-shop, in another terminal

Take a payment: paste this into another terminal.

${firstPayment(sandbox)}
`
}

/**
 * One curl that authorizes, whose invoice and card come from two more; needs nothing but a POSIX shell, curl and grep.
 * An id has 32 characters, which tells `card_…` from names such as `card_checks`.
 */
function firstPayment({ base_url: api, project_id: id, secret_key: secret }: Sandbox): string {
  const call = `curl -sS -u ${id}:${secret} ${api}`
  const idOf = (prefix: string) => `grep -o '${prefix}_[0-9A-Za-z]\\{32\\}' | head -n 1`
  const invoice = `${call}/invoices -d name=Coffee -d amount=4.50 -d currency=EUR | ${idOf('iv')}`
  const card = `${call}/cards -d number=4242424242424242 -d exp_month=12 -d exp_year=2030 -d cvc2=123 | ${idOf('card')}`
  return `${call}/invoices/$(
  ${invoice}
)/authorize -d source=$(
  ${card}
)`
}
