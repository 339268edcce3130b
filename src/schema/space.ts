// Address spaces. Two sites may use the same addresses: a device is found by its address and its space. Where a text must
// stand for both, such as in a key, it is the address alone in the default space, and `10.0.0.5@2` in another.

import { int } from './scalar.ts'

export const defaultSpace = 0
export const maxSpace = 9999

/** As it is sent and stored: the default space is an absent value, too. */
export const spaceNumber = int({ min: defaultSpace, max: maxSpace })

/** The text that stands for an address in a space. */
export const inSpace = (address: string, space: number | null | undefined): string =>
  space ? `${address}@${space}` : address

/** The address alone; other texts stay as they are. */
export function addressOf(spaced: string): string {
  const cut = spaced.indexOf('@')
  return cut < 0 ? spaced : spaced.slice(0, cut)
}

export function spaceOf(spaced: string): number {
  const cut = spaced.indexOf('@')
  return cut < 0 ? defaultSpace : Number(spaced.slice(cut + 1))
}
