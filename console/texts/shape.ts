// What a text of another language must be like the English one: the same names, and functions of the same values.

export type ShapeOf<T> = T extends string
  ? string
  : T extends (...values: infer Values) => infer Text
    ? (...values: Values) => ShapeOf<Text>
    : T extends ReadonlySet<unknown>
      ? T
      : { readonly [Name in keyof T]: ShapeOf<T[Name]> }
