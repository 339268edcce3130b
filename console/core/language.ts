// The language that somebody chose in the console. The service reads the choice from a cookie, and serves the console in it.

import { root } from './address.ts'
import { person } from './session.ts'
import { stashDrafts } from './unsaved.ts'

const name = 'belfry-language'
const year = 365 * 86_400

/** `auto` where nobody chose: the service then takes the first of the browser's that it has. */
export const chosenLanguage = (): string =>
  new RegExp(`(?:^|;) *${name}=(\\w+)`).exec(document.cookie)?.[1] ?? 'auto'

/** All of the console is of one language: it is loaded anew, and what was being typed is there again. */
export function chooseLanguage(language: string): void {
  const age = language === 'auto' ? 0 : year
  const isSafe = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on encrypted connections alone
  document.cookie = `${name}=${language}; Path=${root}/console; Max-Age=${age}; SameSite=Lax${isSafe}`
  stashDrafts(person.value)
  location.reload()
}
