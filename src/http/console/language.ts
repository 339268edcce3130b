// In which language the console is served: the one that somebody chose in it, or else the first of the browser's that it has.

import type { IncomingHttpHeaders } from 'node:http'
import { choose } from '../content-negotiation.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const offered = languages.map((form) => ({ form, ranges: [form] }))

export const asLanguage = (text: string | undefined): Language | undefined =>
  languages.find((language) => language === text)

/** Written by the console itself (console/core/language.ts). */
const chosen = 'belfry-language='

const chosenIn = (cookies: string) =>
  cookies
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(chosen))
    ?.slice(chosen.length)

/** `de-AT;q=0.9` asks for German. */
const withoutRegion = (range: string) => {
  const [tag = '', ...options] = range.split(';')
  return [tag.split('-', 1)[0], ...options].join(';')
}

const withoutRegions = (accepted: string) => accepted.split(',').map(withoutRegion).join(',')

export const languageFor = ({
  cookie = '',
  'accept-language': accepted = '',
}: IncomingHttpHeaders): Language =>
  asLanguage(chosenIn(cookie)) ?? choose(withoutRegions(accepted), offered) ?? 'en'
