/** Sets properties by script, which a strict content security policy allows where it refuses style attributes. */
export function style(element: HTMLElement | SVGElement, properties: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value)
}

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Readonly<Record<string, string>> = {},
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  style(element, properties)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  return element
}

/** The element itself, or the first one that the selector finds. Null without any. */
export function find(element: Element | string): Element | null {
  return typeof element === 'string' ? document.querySelector(element) : element
}
