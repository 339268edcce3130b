// Text of strangers, as text: control characters, and marks that reverse the direction of letters, are made visible.

const hidden = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

const names: Readonly<Record<number, string>> = { 127: '␡' }

/** Control characters as their pictures, marks that reorder text by their number. */
export function visible(text: string): string {
  return text.search(hidden) < 0 ? text : text.replace(hidden, (char) => picture(char.charCodeAt(0)))
}

function picture(code: number): string {
  if (code < 32) return String.fromCharCode(0x2400 + code)
  return names[code] ?? `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
}
