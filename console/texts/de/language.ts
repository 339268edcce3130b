// How German writes numbers, days and times.

import type * as english from '../language.ts'

export const locales: typeof english.locales = { numbers: 'de', days: 'de-DE', times: 'de-DE' }
