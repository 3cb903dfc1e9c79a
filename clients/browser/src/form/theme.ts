import { objectIn } from '../payment/answer.ts'

/** The CSS variables of the form by the names of the theme. */
const COLORS: Readonly<Record<string, string>> = {
  colorText: '--text',
  colorLabel: '--label',
  colorPlaceholder: '--placeholder',
  colorBackground: '--background',
  colorBorder: '--border',
  colorFocus: '--focus',
  colorError: '--error',
}

/** In pixels, with the least and the greatest value. */
const SIZES: Readonly<Record<string, readonly [variable: string, least: number, most: number]>> = {
  // Phones zoom into a field with smaller text.
  fontSize: ['--font-size', 16, 24],
  borderWidth: ['--border-width', 0, 4],
  borderRadius: ['--radius', 0, 32],
  spacing: ['--spacing', 4, 32],
  fieldHeight: ['--field-height', 40, 72],
}

const FONTS: Readonly<Record<string, string>> = {
  system: 'system-ui, sans-serif',
  'sans-serif': 'sans-serif',
  serif: 'ui-serif, Georgia, serif',
  monospace: 'ui-monospace, Menlo, Consolas, monospace',
  rounded: 'ui-rounded, system-ui, sans-serif',
}

/** Forms of colours in which nothing else can be written: no names, no `var()`, no `url()`. */
const COLOR = /^(#[0-9a-f]{3}|#[0-9a-f]{6}|#[0-9a-f]{8}|(rgb|hsl)a?\([\d\s.,%/-]{5,40}\))$/i

export interface ReadTheme {
  variables: Readonly<Record<string, string>>
  /** Of dark pages, over the others. */
  dark: Readonly<Record<string, string>>
}

export class ThemeProblem extends Error {}

/**
 * A theme as CSS variables.
 *
 * @throws ThemeProblem that names the first value which is not one of a theme.
 */
export function readTheme(theme: unknown): ReadTheme {
  const { dark, fontFamily, ...others } = objectIn(theme)
  const given = Object.entries(others).filter(([, value]) => value != null)
  const variables = Object.fromEntries(given.map(([name, value]) => variableOf(name, value)))
  if (fontFamily != null) variables['--font'] = fontOf(fontFamily)
  const darkColors = Object.entries(objectIn(dark)).filter(([, value]) => value != null)
  return { variables, dark: Object.fromEntries(darkColors.map(([name, value]) => colorOf(name, value, 'dark.'))) }
}

function variableOf(name: string, value: unknown): [string, string] {
  const size = own(SIZES, name)
  if (size === undefined) return colorOf(name, value)
  const [variable, least, most] = size
  if (typeof value !== 'number' || !(value >= least && value <= most))
    throw new ThemeProblem(`${name} of the theme must be a number from ${least} to ${most}, in pixels.`)
  return [variable, `${value}px`]
}

function colorOf(name: string, value: unknown, group = ''): [string, string] {
  const variable = own(COLORS, name)
  if (variable === undefined) throw new ThemeProblem(`A theme has no ${group}${name}.`)
  if (typeof value !== 'string' || !COLOR.test(value))
    throw new ThemeProblem(
      `${group}${name} of the theme must be a colour such as #1a2b3c, rgb(26 43 60) or hsl(210 40% 17%).`,
    )
  return [variable, value]
}

function fontOf(value: unknown): string {
  const font = typeof value === 'string' ? own(FONTS, value) : undefined
  if (font === undefined) throw new ThemeProblem(`fontFamily of the theme is one of ${Object.keys(FONTS).join(', ')}.`)
  return font
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
