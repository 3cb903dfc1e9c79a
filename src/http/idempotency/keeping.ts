/** How the text of an answer is kept for its key, and how it is told from what was kept: the same text, to the byte. */
export interface Keeping {
  kept(text: string): string
  told(text: string): string
}

export const IN_PLAIN: Keeping = { kept: (text) => text, told: (text) => text }
