import type { ProjectRow } from '../persistence/entities/project.ts'
import { object, type Shown } from './object.ts'
import { currency, id, text, WRITTEN } from './shown.ts'
import { presentTimestamp } from './values.ts'

export const project = object('Project', 'A project: a merchant’s invoices, customers, accounts and keys.', {
  id: id('project', 'The project, without the `test-` of the sandbox.'),
  name: text('Its name, as the operator has given it.'),
  default_currency: currency('The currency where no other is named, such as for the verification of a card.'),
  ...WRITTEN,
})

/** A project as the callers of one of its environments see it. */
export function presentProject(row: ProjectRow, { sandbox }: { sandbox: boolean }): Shown<typeof project> {
  return {
    id: row.id,
    name: row.name,
    default_currency: row.defaultCurrency,
    sandbox,
    created_at: presentTimestamp(row.createdAt),
  }
}
