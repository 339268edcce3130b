// The values of a list of things in a form, which holds all of them in one text.

/** What a column does not know of a row stays as it is. */
export type Row = Readonly<Record<string, string | undefined>>

export const written = (rows: readonly object[] = []): string => JSON.stringify(rows)

export const parsed = (text: string): readonly Row[] => JSON.parse(text || '[]')

/** As they are sent: without what is empty. */
export const readBack = (text = ''): readonly Row[] =>
  parsed(text).map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .map(([name, value]) => [name, value?.trim()] as const)
        .filter(([, value]) => value !== undefined && value !== ''),
    ),
  )
