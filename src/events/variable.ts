// One variable of a notification, as it was sent.

export interface Variable {
  readonly oid: string
  readonly type: string
  readonly value: string
}
