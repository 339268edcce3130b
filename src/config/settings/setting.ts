// One setting, as every row of the table is written.

export interface Setting<T> {
  readonly help: string
  /** A word for the value in help texts. */
  readonly form: string
  readonly byDefault: string
  read(text: string): T
}

export const setting = <T>(
  form: string,
  byDefault: string,
  read: (text: string) => T,
  help: string,
): Setting<T> => ({
  form,
  byDefault,
  read,
  help,
})
