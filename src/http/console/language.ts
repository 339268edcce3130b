// In which language the console is served: the one that somebody chose in it, or else the first of the browser's that it has.

import type { IncomingHttpHeaders } from 'node:http'
import { choose } from '../content-negotiation.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const offered = languages.map((form) => ({ form, ranges: [form] }))

export const asLanguage = (text: string | undefined): Language | undefined =>
  languages.find((language) => language === text)

/** Written by the console itself (console/core/language.ts). */
const chosen = /(?:^|;) *belfry-language=(\w+)/

/** `de-AT` asks for German. */
const withoutRegions = (accepted: string) => accepted.replace(/([a-z]{2,3})-[a-z0-9-]+/gi, '$1')

export const languageFor = ({ cookie, 'accept-language': accepted }: IncomingHttpHeaders): Language =>
  asLanguage(chosen.exec(cookie ?? '')?.[1]) ?? choose(withoutRegions(accepted ?? ''), offered) ?? 'en'
