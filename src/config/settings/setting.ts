// One setting, as every row of the table is written.

/**
 * Where several nodes use one store, a setting that decides what becomes of traps and requests must be the same at each:
 * its text, or what the named file holds. Others are each node's own.
 */
export type Compared = 'text' | 'content' | 'own'

export interface Setting<T> {
  readonly help: string
  /** A word for the value in help texts. */
  readonly form: string
  readonly byDefault: string
  readonly compared: Compared
  read(text: string): T
}

export const setting = <T>(
  form: string,
  byDefault: string,
  read: (text: string) => T,
  help: string,
  compared: Compared = 'text',
): Setting<T> => ({
  form,
  byDefault,
  read,
  help,
  compared,
})
