import type { AccountField } from '../../gateways/account.ts'
import { GATEWAYS } from '../../gateways/installed.ts'

/** The credentials and settings of every gateway, for the reference: they are data of its adapter. */
export function fieldsInWords(): string {
  return GATEWAYS.map(({ name, credentials, settings }) => {
    const lines = [...linesOf('credentials', credentials), ...linesOf('settings', settings)]
    return `At \`${name}\`:\n\n${lines.join('\n')}`
  }).join('\n\n')
}

function linesOf(group: string, fields: Readonly<Record<string, AccountField>>): string[] {
  return Object.entries(fields).map(([name, field]) => {
    const needed = field.isRequired === undefined ? '' : field.isRequired === true ? ', required' : ', required live'
    const values = field.choices?.map(({ value }) => `\`${value}\``).join(', ')
    return `- \`${group}.${name}\`${needed}: ${field.says.en}${values === undefined ? '' : ` One of ${values}.`}`
  })
}
