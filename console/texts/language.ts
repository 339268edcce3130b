// How this language writes numbers, days and times: names of locales, as `Intl` takes them.

export const locales = { numbers: 'en', days: 'en-GB', times: 'sv-SE' }
